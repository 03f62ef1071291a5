//! The page and the badge. Both stand alone: no script, no font, nothing that is fetched.

use super::{details, printable};
use crate::check::report::{Report, Verdict};

fn escape(text: &str) -> String {
    printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn shade(report: &Report) -> &'static str {
    if !report.passed() {
        "#c0392b"
    } else if report.count(Verdict::NonStrict) > 0 {
        "#9a7b0a"
    } else {
        "#2b8a3e"
    }
}

/// The width of a text in eleven-pixel Verdana or what stands for it: near enough for short words.
fn width(text: &str) -> usize {
    let narrow = |c: char| "iljt.,:'|!f ".contains(c);
    let wide = |c: char| "mwMW✓✗".contains(c);
    let tenths = |c: char| {
        if narrow(c) {
            42
        } else if wide(c) {
            102
        } else {
            71
        }
    };
    text.chars().map(tenths).sum::<usize>().div_ceil(10)
}

pub(super) fn badge(report: &Report) -> String {
    let label = format!("SBP {}", crate::protocol::print::VERSION);
    let kept = report.count(Verdict::Pass);
    let value = match report.failures().count() {
        0 if report.strict => format!("{kept} kept, strict"),
        0 => format!("{kept} kept"),
        failed => format!("{failed} broken"),
    };
    let (left, right) = (width(&label) + 12, width(&value) + 12);
    let all = left + right;
    let text = |x: usize, length: usize, text: &str| {
        let (x, text) = (x as f64 + length as f64 / 2.0, escape(text));
        format!(
            "<text x=\"{x}\" y=\"15\" fill=\"#010101\" fill-opacity=\".3\" aria-hidden=\"true\">{text}</text><text x=\"{x}\" y=\"14\">{text}</text>"
        )
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all}\" height=\"20\" role=\"img\" aria-label=\"{label}: {value}\">\
         <title>{label}: {value}</title>\
         <clipPath id=\"r\"><rect width=\"{all}\" height=\"20\" rx=\"3\" fill=\"#fff\"/></clipPath>\
         <g clip-path=\"url(#r)\"><rect width=\"{left}\" height=\"20\" fill=\"#444\"/>\
         <rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"{}\"/></g>\
         <g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,Geneva,DejaVu Sans,sans-serif\" font-size=\"11\">{}{}</g></svg>\n",
        shade(report),
        text(0, left, &label),
        text(left, right, &value),
    )
}

const STYLE: &str = "\
:root{color-scheme:light dark;--line:#8884;--pass:#2b8a3e;--non-strict:#9a7b0a;--fail:#c0392b;--not-exercised:#777}\
body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.5rem;margin:0 0 .25rem}.meta{opacity:.75;margin:0 0 1rem}\
.counts{display:flex;flex-wrap:wrap;gap:.5rem;margin:1rem 0}.counts span{padding:.2rem .7rem;border-radius:1rem;color:#fff}\
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line)}\
th{font-weight:600}td:first-child,td:nth-child(2),td:nth-child(3){white-space:nowrap}code,pre{font:13px/1.45 ui-monospace,monospace}\
pre{overflow-x:auto;background:#8881;padding:.7rem;border-radius:.4rem;white-space:pre-wrap;overflow-wrap:anywhere}\
.pass{color:var(--pass)}.non-strict{color:var(--non-strict)}.fail{color:var(--fail);font-weight:600}.not-exercised{color:var(--not-exercised)}\
.bg-pass{background:var(--pass)}.bg-non-strict{background:var(--non-strict)}.bg-fail{background:var(--fail)}.bg-not-exercised{background:var(--not-exercised)}\
@media(max-width:40rem){thead{display:none}tr{display:block;border-bottom:1px solid var(--line);padding:.3rem 0}td{display:inline-block;border:0;padding:.1rem .4rem}td:last-child{display:block}}";

fn class(verdict: Verdict) -> String {
    verdict.word().replace(' ', "-")
}

pub(super) fn page(report: &Report) -> String {
    let bot = escape(&report.bot);
    let verdict = if report.passed() { "passes" } else { "fails" };
    let strictly = if report.strict { ", strictly" } else { "" };
    let itself = report.calls_itself.as_ref().map_or(String::new(), |name| format!("{} · ", escape(name)));
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{bot} {verdict}</title><style>{STYLE}</style></head><body>\n\
         <h1>{bot} {verdict}{strictly}</h1>\n<p class=\"meta\">{itself}SBP version {} · rules {} · seed {} · arbiter {} · {:.1} s</p>\n\
         <p class=\"counts\">",
        crate::protocol::print::VERSION,
        escape(&report.rules),
        report.seed,
        env!("CARGO_PKG_VERSION"),
        report.took.as_secs_f64(),
    );
    for verdict in Verdict::ALL {
        let (class, word) = (class(verdict), verdict.word());
        text += &format!("<span class=\"bg-{class}\">{} {word}</span>", report.count(verdict));
    }
    text += "</p>\n";
    for row in report.rows.iter().filter(|row| matches!(row.verdict, Verdict::Fail | Verdict::NonStrict)) {
        let class = class(row.verdict);
        text += &format!(
            "<section><h2 class=\"{class}\">{} <code>{}</code></h2><p>{}</p><pre>{}</pre></section>\n",
            row.verdict.word(),
            row.name,
            escape(&row.about),
            escape(&details(report, row)),
        );
    }
    text += "<h2>All cases</h2>\n<table><thead><tr><th>verdict</th><th>level</th><th>case</th><th></th></tr></thead><tbody>\n";
    for row in &report.rows {
        let (class, why) = (class(row.verdict), if row.why.is_empty() { &row.about } else { &row.why });
        let title = row.specified().map_or(String::new(), |clause| escape(clause.sentence));
        text += &format!(
            "<tr title=\"{title}\"><td class=\"{class}\">{}</td><td>{}</td><td><code>{}</code></td><td>{}</td></tr>\n",
            row.verdict.word(),
            row.level.word(),
            row.name,
            escape(why),
        );
    }
    text + "</tbody></table>\n</body></html>\n"
}
