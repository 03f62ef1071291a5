import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * skirmisher-java, a Stratego bot that keeps the enemy busy: it strikes where the average of what may stand there is in
 * its favour, and walks each piece to the nearest such place. What it knows it works out anew each turn from the moves of
 * the game.
 */
public final class Skirmisher implements Sbp.Thinking {
    private static final String FILES = "abcdefghiklmnopqrstuvwxyz";
    private static final String RANKS = "FBS23456789M"; // from the spy on, in order of strength
    private static final String KNOWN = "fbscdeghijkm";
    private static final double[] WORTH = {80, 6, 8, 3, 7, 5, 7, 11, 17, 25, 36, 50};

    @Override
    public String name() {
        return "skirmisher-java";
    }

    /** The flag in the back row with bombs about it, everything else anywhere. */
    @Override
    public String chooseDeployment(Game game) {
        char[] squares = new char[game.rows * game.width];
        Arrays.fill(squares, '.');
        List<Character> rest = new ArrayList<>();
        for (char piece : game.army.toCharArray()) rest.add(piece);
        int flag = game.random.nextInt(game.width);
        squares[flag] = 'F';
        rest.remove(Character.valueOf('F'));
        for (int next : new int[] {flag + game.width, flag - 1, flag + 1}) {
            boolean beside = next >= 0 && next < squares.length && Math.abs(next % game.width - flag) <= 1;
            if (beside && rest.remove(Character.valueOf('B'))) squares[next] = 'B';
        }
        List<Integer> free = new ArrayList<>();
        for (int i = 0; i < squares.length; i++) if (squares[i] == '.') free.add(i);
        Collections.shuffle(free, game.random);
        for (int i = 0; i < rest.size(); i++) squares[free.get(i)] = rest.get(i);
        return new String(squares);
    }

    @Override
    public String chooseMove(Game game) {
        Turn turn = new Turn(game);
        String best = game.legal.get(0);
        double most = Double.NEGATIVE_INFINITY;
        for (String move : game.legal) {
            double score = turn.score(move) + game.random.nextDouble() * 0.1;
            if (score > most) {
                most = score;
                best = move;
            }
        }
        return best;
    }

    /** What is worked out once a turn. */
    private static final class Turn {
        private final Game game;
        private final Map<String, Character> seen = new HashMap<>(); // enemy ranks, by square
        private final Map<Character, Map<String, Integer>> ways = new HashMap<>(); // steps to a target, by own rank
        private final double[] left = new double[RANKS.length()]; // hidden enemy pieces of each rank
        private int quiet;

        Turn(Game game) {
            this.game = game;
            for (char piece : game.army.toCharArray()) left[RANKS.indexOf(piece)]++;
            game.moves.forEach(this::follow);
            game.board.forEach((square, letter) -> {
                if (KNOWN.indexOf(letter) >= 0) seen.put(square, RANKS.charAt(KNOWN.indexOf(letter)));
            });
            for (char rank : seen.values()) left[RANKS.indexOf(rank)]--;
        }

        /** Follows the enemy's known pieces through a move. */
        private void follow(List<String> move) {
            boolean theirs = !move.get(0).equals(game.colour);
            String from = move.get(1);
            String to = move.get(2);
            Character mover = seen.remove(from);
            Character struck = seen.remove(to);
            quiet++;
            if (move.size() < 6 || !move.get(3).equals("battle")) {
                if (mover != null) seen.put(to, mover);
                return;
            }
            quiet = 0;
            char told = move.get(theirs ? 4 : 5).charAt(0);
            Character rank = told == '?' ? (theirs ? mover : struck) : Character.valueOf(told);
            boolean advances = move.size() > 7 && move.get(7).equals("advances");
            boolean survives = move.get(6).equals(theirs ? "won" : "lost");
            if (rank == null) return;
            if (survives) seen.put(advances && !theirs ? from : to, rank);
            else left[RANKS.indexOf(rank)]--;
        }

        private boolean enemy(String square) {
            char letter = game.board.getOrDefault(square, '~');
            return letter == '?' || letter == '!' || KNOWN.indexOf(letter) >= 0;
        }

        /** Above 0 where the attacker wins, 0 where equals meet, below where it is lost. */
        private static int fight(char attacker, char defender) {
            if (defender == 'F' || (attacker == '3' && defender == 'B') || (attacker == 'S' && defender == 'M')) return 1;
            return defender == 'B' ? -1 : Integer.compare(RANKS.indexOf(attacker), RANKS.indexOf(defender));
        }

        private static double gain(char attacker, char defender) {
            int outcome = fight(attacker, defender);
            double won = outcome >= 0 ? WORTH[RANKS.indexOf(defender)] : 0;
            return outcome > 0 ? won : won - WORTH[RANKS.indexOf(attacker)];
        }

        /** What a strike brings on the average; the longer nothing was struck, the more it is wanted. */
        private double strike(char rank, String square) {
            Character known = seen.get(square);
            if (known != null) return gain(rank, known);
            double sum = 0;
            double weights = 0;
            for (int i = game.board.get(square) == '!' ? 2 : 0; i < left.length; i++) {
                double weight = Math.max(0, left[i]);
                sum += weight * gain(rank, RANKS.charAt(i));
                weights += weight;
            }
            return (weights > 0 ? sum / weights : 0) + 2 + quiet / 10.0;
        }

        private List<String> neighbours(String square) {
            int file = FILES.indexOf(square.charAt(0));
            int rank = Integer.parseInt(square.substring(1));
            List<String> all = new ArrayList<>();
            for (int[] step : new int[][] {{0, 1}, {0, -1}, {1, 0}, {-1, 0}}) {
                int x = file + step[0];
                if (x >= 0 && x < game.width) all.add(FILES.charAt(x) + "" + (rank + step[1]));
            }
            all.removeIf(s -> game.board.getOrDefault(s, '~') == '~');
            return all;
        }

        /** The steps from every square to the nearest enemy that a piece of this rank would strike. */
        private Map<String, Integer> ways(char rank) {
            Map<String, Integer> steps = new HashMap<>();
            Deque<String> queue = new ArrayDeque<>();
            game.board.keySet().stream().sorted().filter(s -> enemy(s) && strike(rank, s) > 0).forEach(s -> {
                steps.put(s, 0);
                queue.add(s);
            });
            while (!queue.isEmpty()) {
                String square = queue.remove();
                for (String next : neighbours(square)) {
                    if (!enemy(next) && steps.putIfAbsent(next, steps.get(square) + 1) == null) queue.add(next);
                }
            }
            return steps;
        }

        /** What the piece may lose on a square to known enemies next to it. */
        private double danger(char rank, String square) {
            boolean beaten = neighbours(square).stream().map(seen::get)
                    .anyMatch(other -> other != null && "FB".indexOf(other) < 0 && fight(other, rank) > 0);
            return beaten ? WORTH[RANKS.indexOf(rank)] : 0;
        }

        double score(String move) {
            int second = Character.isDigit(move.charAt(2)) ? 3 : 2;
            String from = move.substring(0, second);
            String to = move.substring(second);
            char rank = game.board.get(from);
            if (enemy(to)) return strike(rank, to);
            Map<String, Integer> steps = ways.computeIfAbsent(rank, this::ways);
            int nearer = steps.getOrDefault(from, 99) - steps.getOrDefault(to, 99);
            return Math.signum(nearer) / (1 + steps.getOrDefault(to, 99)) + danger(rank, from) - danger(rank, to);
        }
    }

    public static void main(String[] args) throws IOException {
        Sbp.run(new Skirmisher(), System.in, System.out);
    }
}
