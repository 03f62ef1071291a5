#!/usr/bin/env perl
# A bot that deploys at random and makes any legal move. Written from the project's README.md and protocol/README.md
# alone; needs nothing beside Perl 5.
use strict;
use warnings;

$| = 1;    # a line that waits in a buffer was not written

my %rules;      # the words of `newgame`
my @legal;      # the moves of the last `legal` line
my %refused;    # what was taken back in this turn

# Any deployment that the rules allow: the army, dots for squares that stay empty, shuffled.
sub deployment {
    my @army = map { my ($rank, $count) = /^(.)(\d+)$/; ($rank) x $count } split /,/, $rules{army};
    my ($width) = split /x/, $rules{board};
    push @army, '.' while @army < $rules{rows} * $width;
    for my $last (reverse 1 .. $#army) {
        my $other = int rand($last + 1);
        @army[$last, $other] = @army[$other, $last];
    }
    return join '', @army;
}

sub move {
    my @left = grep { !$refused{$_} } @legal;
    @left = @legal unless @left;
    return $left[rand @left];
}

while (my $line = <STDIN>) {
    my ($word, @rest) = split ' ', $line;
    next unless defined $word;
    if ($word eq 'sbp') {
        print "id name Random Perl\nid author the arbiter project\nid version 1\n";
        print "want legal\nfeature deterministic\nok\n";
    }
    elsif ($word eq 'isready') { print "readyok\n" }
    elsif ($word eq 'newgame') {
        %rules = map { split /=/, $_, 2 } grep { /=/ } @rest;
        srand($rules{seed} % 2**31);
    }
    elsif ($word eq 'setup' && !@rest) { print 'setup ', deployment(), "\n" }
    elsif ($word eq 'moved')   { %refused = () }
    elsif ($word eq 'illegal') { $refused{"$rest[1]$rest[2]"} = 1 }
    elsif ($word eq 'legal')   { @legal = @rest }
    elsif ($word eq 'go')      { print 'move ', move(), "\n" }
    elsif ($word eq 'quit')    { last }
}
