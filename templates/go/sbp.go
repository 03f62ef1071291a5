package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand"
	"strconv"
	"strings"
)

// Game is one game, as far as this side knows it.
type Game struct {
	Rules         map[string]string // the words of newgame
	Colour        string
	Width, Height int
	Rows          int    // deployment rows of each side
	Army          string // one letter a piece: F, B, S, 2 to 9, M
	// Random is seeded by the arbiter: the same game again gives the same moves again.
	Random     *rand.Rand
	Deployment string
	// Board has a character for each square: '.' empty, '~' lake, own pieces in capitals and digits, '?' unknown,
	// '!' unknown and has moved, known enemies f b s c d e g h i j k m (flag, bomb, spy, 2 to 9, marshal).
	Board       map[string]byte
	Moves       [][]string // as told: red a4 a5 battle 6 4 won
	Legal       []string   // such as a4a5
	Refused     []string   // moves of this turn that were taken back
	DrawOffered bool       // by the opponent, just now; answering with a move declines it
}

func newGame(words []string) *Game {
	game := &Game{Rules: map[string]string{}, Board: map[string]byte{}}
	for _, word := range words {
		if key, value, found := strings.Cut(word, "="); found {
			game.Rules[key] = value
		}
	}
	game.Colour = game.Rules["colour"]
	width, height, _ := strings.Cut(game.Rules["board"], "x")
	game.Width, _ = strconv.Atoi(width)
	game.Height, _ = strconv.Atoi(height)
	game.Rows, _ = strconv.Atoi(game.Rules["rows"])
	for _, item := range strings.Split(game.Rules["army"], ",") { // F1,B6,S1,28: a letter, then how many
		if item != "" {
			count, _ := strconv.Atoi(item[1:])
			game.Army += strings.Repeat(item[:1], count)
		}
	}
	seed, _ := strconv.ParseInt(game.Rules["seed"], 10, 64)
	game.Random = rand.New(rand.NewSource(seed))
	return game
}

// see takes in the view of the board, whose first row is the highest rank.
func (game *Game) see(rows string) {
	const files = "abcdefghiklmnopqrstuvwxyz" // there is no j
	for above, row := range strings.Split(rows, "/") {
		for file := 0; file < len(row) && file < len(files); file++ {
			game.Board[files[file:file+1]+strconv.Itoa(game.Height-above)] = row[file]
		}
	}
}

func contains(words []string, word string) bool {
	for _, other := range words {
		if other == word {
			return true
		}
	}
	return false
}

// Run plays games until quit or the end of the input: it answers the arbiter's questions, takes in its news and passes
// over what it does not know.
func Run(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<17) // the arbiter's lines may be longer than a scanner expects
	game := newGame(nil)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		answer, rest := "", words[1:]
		switch words[0] {
		case "quit":
			return nil
		case "sbp":
			answer = "id name " + name + "\nwant legal board\nfeature deterministic\nok"
		case "isready":
			answer = "readyok"
		case "newgame":
			game = newGame(rest)
		case "setup":
			if len(rest) == 2 { // assigned
				game.Deployment = rest[1]
			} else {
				game.Deployment = chooseDeployment(game)
				answer = "setup " + game.Deployment
			}
		case "moved":
			game.Moves = append(game.Moves, rest)
			game.Refused = nil
			game.DrawOffered = false
		case "drawoffer":
			game.DrawOffered = true
		case "illegal": // a clause, then the squares of a move that was taken back
			if len(rest) >= 3 {
				game.Refused = append(game.Refused, rest[1]+rest[2])
			}
		case "board":
			game.see(strings.Join(rest, ""))
		case "legal":
			game.Legal = nil
			for _, move := range rest {
				if !contains(game.Refused, move) { // what was refused is refused again, whatever the list says
					game.Legal = append(game.Legal, move)
				}
			}
		case "go":
			answer = "resign"
			if len(game.Legal) > 0 {
				answer = "move " + chooseMove(game)
			}
		}
		if answer != "" {
			if _, err := fmt.Fprintln(out, answer); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}
