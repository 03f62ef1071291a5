import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** Tests the bot without a test library: talks with it and looks at its answers. */
public final class BotTest {
    private static int failures;

    private static void expect(boolean good, String what) {
        System.out.println((good ? "ok: " : "FAILED: ") + what);
        if (!good) failures++;
    }

    private static List<String> talk(String lines) throws IOException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Sbp.run(new Bot(), new ByteArrayInputStream(lines.getBytes()), new PrintStream(said));
        return List.of(said.toString().split("\n"));
    }

    private static String game(int seed) {
        return "newgame id=t colour=blue first=red seed=" + seed
                + " board=3x4 lakes=none rows=1 army=F1,21 deployment=any novelty=1\n";
    }

    private static String sorted(String text) {
        return text.chars().sorted().collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static void questionsAreAnsweredAndNothingElseIs() throws IOException {
        List<String> answers = talk("sbp 1\n\nweather fine\nisready\n" + game(7)
                + "setup\nstart\ndrawoffer\nboard .2F/.../.../?..\nlegal a4a3 b4b3\ngo\n"
                + "illegal move.chase a4 a3\nlegal a4a3 b4b3\ngo\n"
                + "moved blue b4 b3\nlegal a4a3\ngo clock=1,2\ngameover winner=none reason=new\nquit\nisready\n");
        expect(answers.size() == 9, "as many answers as questions");
        expect(answers.get(3).equals("ok"), "the handshake ends by ok");
        expect(answers.get(4).equals("readyok"), "it is ready");
        expect(sorted(answers.get(5)).equals(sorted("setup .2F")), "the army is deployed");
        expect(List.of("move a4a3", "move b4b3").contains(answers.get(6)), "the move is legal");
        expect(answers.get(7).equals("move b4b3"), "what was refused is not tried again");
        expect(answers.get(8).equals("move a4a3"), "the next turn begins anew");
    }

    private static void theWholeArmyIsDeployed() throws IOException {
        String isf = "colour=red board=10x10 rows=4 army=F1,B6,S1,28,35,44,54,64,73,82,91,M1 seed=1";
        String answer = talk("newgame " + isf + "\nsetup\n").get(0);
        expect(sorted(answer).equals(sorted("setup FBBBBBBS2222222233333444455556666777889M")), "a whole army is deployed");
    }

    private static void theSameSeedGivesTheSameAnswers() throws IOException {
        String turns = "setup\n" + "legal a4a3 b4b3 c4c3\ngo\n".repeat(20);
        expect(talk(game(1) + turns).equals(talk(game(1) + turns)), "the same seed gives the same answers");
        expect(!talk(game(1) + turns).equals(talk(game(2) + turns)), "another seed gives others");
    }

    public static void main(String[] args) throws IOException {
        questionsAreAnsweredAndNothingElseIs();
        theWholeArmyIsDeployed();
        theSameSeedGivesTheSameAnswers();
        if (failures > 0) System.exit(1);
    }
}
