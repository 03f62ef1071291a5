import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Random;

/** A bot in Java that plays the first legal move or a random one: enough to see that a Java machine starts confined. */
public class Ten {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Random random = new Random(1);
        String[] moves = {};
        String setup = "";
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "sbp" -> System.out.println("id name Ten in Java\nwant legal\nok");
                case "isready" -> System.out.println("readyok");
                case "newgame" -> setup = deployment(line);
                case "setup" -> System.out.println("setup " + setup);
                case "legal" -> moves = words;
                case "go" -> System.out.println("move " + moves[1 + random.nextInt(moves.length - 1)]);
                case "quit" -> System.exit(0);
                default -> { }
            }
            System.out.flush();
        }
    }

    private static String deployment(String newgame) {
        StringBuilder pieces = new StringBuilder();
        int squares = 1;
        for (String word : newgame.split(" ")) {
            if (word.startsWith("army=")) {
                for (String part : word.substring(5).split(",")) {
                    pieces.append(part.substring(0, 1).repeat(Integer.parseInt(part.substring(1))));
                }
            }
            if (word.startsWith("rows=")) squares *= Integer.parseInt(word.substring(5));
            if (word.startsWith("board=")) squares *= Integer.parseInt(word.substring(6).split("x")[0]);
        }
        while (pieces.length() < squares) pieces.append('.');
        return pieces.toString();
    }
}
