// my-bot, a Stratego bot. Your thinking goes into the two functions below; sbp.go speaks with the arbiter.
package main

import "os"

const name = "my-bot"

// chooseDeployment says where the army stands: one letter a square, the own back row first, each row from file a, '.'
// for an empty one.
func chooseDeployment(game *Game) string {
	squares := make([]byte, game.Rows*game.Width)
	for i := range squares {
		squares[i] = '.'
	}
	copy(squares, game.Army)
	game.Random.Shuffle(len(squares), func(i, j int) { squares[i], squares[j] = squares[j], squares[i] })
	return string(squares)
}

// chooseMove gives one of game.Legal, which is not empty. game.Board["a4"] says what stands where.
func chooseMove(game *Game) string {
	return game.Legal[game.Random.Intn(len(game.Legal))]
}

func main() {
	if err := Run(os.Stdin, os.Stdout); err != nil {
		os.Exit(1)
	}
}
