import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** One game, as far as this side knows it. */
public final class Game {
    private static final String FILES = "abcdefghiklmnopqrstuvwxyz"; // there is no j

    /** The words of {@code newgame}. */
    public final Map<String, String> rules = new HashMap<>();

    public final String colour;
    public final int width;
    public final int height;

    /** Deployment rows of each side. */
    public final int rows;

    /** One letter a piece: F, B, S, 2 to 9, M. */
    public final String army;

    /** Seeded by the arbiter: the same game again gives the same moves again. */
    public final Random random;

    public String deployment = "";

    /**
     * Square to character: '.' empty, '~' lake, own pieces in capitals and digits, '?' unknown, '!' unknown and has
     * moved, known enemies f b s c d e g h i j k m (flag, bomb, spy, 2 to 9, marshal).
     */
    public final Map<String, Character> board = new HashMap<>();

    /** The moves of the game so far, as told: red a4 a5 battle 6 4 won. */
    public final List<List<String>> moves = new ArrayList<>();

    /** The legal moves, such as a4a5. */
    public final List<String> legal = new ArrayList<>();

    /** Moves of this turn that were taken back. */
    public final List<String> refused = new ArrayList<>();

    /** Whether the opponent has just offered a draw; answering with a move declines it. */
    public boolean drawOffered;

    Game(List<String> words) {
        for (String word : words) {
            String[] pair = word.split("=", 2);
            if (pair.length == 2) rules.put(pair[0], pair[1]);
        }
        colour = rules.get("colour");
        String[] size = rules.get("board").split("x");
        width = Integer.parseInt(size[0]);
        height = Integer.parseInt(size[1]);
        rows = Integer.parseInt(rules.get("rows"));
        StringBuilder pieces = new StringBuilder();
        for (String item : rules.get("army").split(",")) { // F1,B6,S1,28: a letter, then how many
            pieces.append(item.substring(0, 1).repeat(Integer.parseInt(item.substring(1))));
        }
        army = pieces.toString();
        random = new Random(Long.parseLong(rules.get("seed")));
    }

    /** Takes in the view of the board, whose first row is the highest rank. */
    void see(String view) {
        int rank = height;
        for (String row : view.split("/")) {
            for (int file = 0; file < row.length(); file++) board.put(FILES.charAt(file) + "" + rank, row.charAt(file));
            rank--;
        }
    }
}
