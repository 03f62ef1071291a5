//! JUnit XML: a test suite for each family of clauses.

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use super::{details, printable};
use crate::check::report::{Report, Verdict};

pub(super) fn print(report: &Report) -> String {
    let mut junit = Junit::new(format!("arbiter check {}", report.bot));
    let mut suites: Vec<TestSuite> = Vec::new();
    for row in &report.rows {
        let family = row.name.split('.').next().unwrap_or_default();
        let mut status = if row.fails(report.strict) {
            TestCaseStatus::non_success(NonSuccessKind::Failure)
        } else if row.verdict == Verdict::NotExercised {
            TestCaseStatus::skipped()
        } else {
            TestCaseStatus::success()
        };
        match row.verdict {
            Verdict::Pass => {}
            Verdict::NotExercised => drop(status.set_message(printable(&row.why))),
            _ if row.fails(report.strict) => {
                status.set_type(row.clause()).set_message(printable(&row.why));
                status.set_description(printable(&details(report, row)));
            }
            _ => {}
        }
        let mut case = TestCase::new(row.name.as_str(), status);
        case.set_classname(format!("{}.{family}", report.bot)).set_time(row.took);
        if row.verdict == Verdict::NonStrict && !report.strict {
            case.set_system_out(printable(&format!("non-strict\n{}", details(report, row))));
        }
        match suites.iter_mut().find(|suite| suite.name.as_str() == family) {
            Some(suite) => drop(suite.add_test_case(case)),
            None => {
                let mut suite = TestSuite::new(family);
                suite.add_test_case(case);
                suites.push(suite);
            }
        }
    }
    junit.add_test_suites(suites);
    let text = junit.to_string().expect("a report is written to memory") + "\n";
    // Jenkins' schema counts the skipped in each suite and not in the whole.
    let whole = format!(" skipped=\"{}\"", report.count(Verdict::NotExercised));
    text.replacen(&whole, "", 1)
}
