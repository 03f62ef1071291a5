import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The conversation with the arbiter: answers its questions, takes in its news, passes over what it does not know. */
public final class Sbp {
    /** A bot's ideas. */
    public interface Thinking {
        String name();

        /**
         * Where the army stands: one letter a square, the own back row first, each row from file a, '.' for an empty
         * one.
         */
        String chooseDeployment(Game game);

        /** One of {@code game.legal}, which is not empty. {@code game.board.get("a4")} says what stands where. */
        String chooseMove(Game game);
    }

    private final Thinking bot;
    private Game game;

    private Sbp(Thinking bot) {
        this.bot = bot;
    }

    /** Plays games until {@code quit} or the end of the input. */
    public static void run(Thinking bot, InputStream in, PrintStream out) throws IOException {
        Sbp conversation = new Sbp(bot);
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1));
        for (String line; (line = lines.readLine()) != null && !line.equals("quit"); ) {
            String answer = conversation.hear(line);
            if (answer != null) {
                out.print(answer + "\n");
                out.flush();
            }
        }
    }

    /** The answer to a line, or null where it asks for none. */
    private String hear(String line) {
        List<String> words = List.of(line.trim().split("\\s+"));
        List<String> rest = words.subList(1, words.size());
        switch (words.get(0)) {
            case "sbp":
                return "id name " + bot.name() + "\nwant legal board\nfeature deterministic\nok";
            case "isready":
                return "readyok";
            case "newgame":
                game = new Game(rest);
                return null;
            case "setup":
                if (rest.size() == 2) { // assigned
                    game.deployment = rest.get(1);
                    return null;
                }
                game.deployment = bot.chooseDeployment(game);
                return "setup " + game.deployment;
            case "moved":
                game.moves.add(rest);
                game.refused.clear();
                game.drawOffered = false;
                return null;
            case "drawoffer":
                game.drawOffered = true;
                return null;
            case "illegal": // a clause, then the squares of a move that was taken back
                game.refused.add(rest.get(1) + rest.get(2));
                return null;
            case "board":
                game.see(rest.get(0));
                return null;
            case "legal":
                game.legal.clear();
                game.legal.addAll(rest);
                game.legal.removeAll(game.refused); // what was refused is refused again, whatever the list says
                return null;
            case "go":
                return game.legal.isEmpty() ? "resign" : "move " + bot.chooseMove(game);
            default:
                return null;
        }
    }
}
