import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** my-bot, a Stratego bot. Your thinking goes into the two methods; {@link Sbp} speaks with the arbiter. */
public final class Bot implements Sbp.Thinking {
    @Override
    public String name() {
        return "my-bot";
    }

    @Override
    public String chooseDeployment(Game game) {
        List<Character> squares = new ArrayList<>();
        for (char piece : game.army.toCharArray()) squares.add(piece);
        while (squares.size() < game.rows * game.width) squares.add('.');
        Collections.shuffle(squares, game.random);
        StringBuilder deployment = new StringBuilder();
        squares.forEach(deployment::append);
        return deployment.toString();
    }

    @Override
    public String chooseMove(Game game) {
        return game.legal.get(game.random.nextInt(game.legal.size()));
    }

    public static void main(String[] args) throws IOException {
        Sbp.run(new Bot(), System.in, System.out);
    }
}
