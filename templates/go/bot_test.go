package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"
	"testing"
)

func talk(t *testing.T, lines string) []string {
	t.Helper()
	var out strings.Builder
	if err := Run(strings.NewReader(lines), &out); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

func game(seed int) string {
	return fmt.Sprintf("newgame id=t colour=blue first=red seed=%d board=3x4 lakes=none rows=1 army=F1,21 "+
		"deployment=any novelty=1\n", seed)
}

func sorted(text string) string {
	letters := strings.Split(text, "")
	sort.Strings(letters)
	return strings.Join(letters, "")
}

func TestQuestionsAreAnsweredAndNothingElseIs(t *testing.T) {
	answers := talk(t, "sbp 1\n\nweather fine\nisready\n"+game(7)+
		"setup\nstart\ndrawoffer\nboard .2F/.../.../?..\nlegal a4a3 b4b3\ngo\n"+
		"illegal move.chase a4 a3\nlegal a4a3 b4b3\ngo\n"+
		"moved blue b4 b3\nlegal a4a3\ngo clock=1,2\ngameover winner=none reason=new\nquit\nisready\n")
	if len(answers) != 9 || answers[3] != "ok" || answers[4] != "readyok" {
		t.Fatalf("%q", answers)
	}
	if sorted(answers[5]) != sorted("setup .2F") {
		t.Errorf("the army is not deployed: %q", answers[5])
	}
	if answers[6] != "move a4a3" && answers[6] != "move b4b3" {
		t.Errorf("no legal move: %q", answers[6])
	}
	if answers[7] != "move b4b3" || answers[8] != "move a4a3" {
		t.Errorf("what was refused is refused for its turn: %q", answers[7:])
	}
}

func TestTheWholeArmyIsDeployed(t *testing.T) {
	answers := talk(t, "newgame board=10x10 rows=4 army=F1,B6,S1,28,35,44,54,64,73,82,91,M1 seed=1\nsetup\n")
	if sorted(answers[0]) != sorted("setup FBBBBBBS2222222233333444455556666777889M") {
		t.Errorf("%q", answers)
	}
}

func TestTheSameSeedGivesTheSameAnswers(t *testing.T) {
	play := func(seed int) []string {
		return talk(t, game(seed)+"setup\n"+strings.Repeat("legal a4a3 b4b3 c4c3\ngo\n", 20))
	}
	if !reflect.DeepEqual(play(1), play(1)) {
		t.Error("the same seed gave other answers")
	}
	if reflect.DeepEqual(play(1), play(2)) {
		t.Error("another seed gave the same answers")
	}
}
