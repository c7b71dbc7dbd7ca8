#!/usr/bin/perl
# Flat Monte Carlo as an external program, which knows no rules:
#
#     parlour match "exec:perl examples/program_search.pl" thumb trime-kicker
#
# At each decision it asks Parlour for determinizations of its observation, and for the results of playing each legal
# action in each of them and then going on by the heuristic (docs/bot-protocol.md). It plays the action with the best
# mean. The seed depends only on the observation, so a game with the same deal is the same again.

use strict;
use warnings;
use JSON::PP;

$| = 1;    # flush each line: a buffered message would arrive late
my $json = JSON::PP->new->utf8->canonical;
my $observation;

sub say_message { print $json->encode(shift), "\n" }

sub act { say_message({ type => 'act', do => $observation->{legal}[shift], seen => $observation->{seen} }) }

# The value of a playout for a seat: its reward, which is 0 before the last round, and 1% of its lead over the mean.
sub value {
    my ($scores, $rewards, $seat) = @_;
    my $sum = 0;
    $sum += $_ for @$scores;
    return $rewards->[$seat] + 0.01 * ($scores->[$seat] - $sum / @$scores);
}

sub best {
    my ($message, $seat) = @_;
    my @totals = (0) x @{ $observation->{legal} };
    for my $world (0 .. $#{ $message->{scores} }) {
        $totals[$_] += value($message->{scores}[$world][$_], $message->{rewards}[$world][$_], $seat) for 0 .. $#totals;
    }
    my $best = 0;
    for (1 .. $#totals) { $best = $_ if $totals[$_] > $totals[$best] }
    return $best;
}

while (my $line = <STDIN>) {
    my $message = $json->decode($line);
    if ($message->{type} eq 'hello') {
        say_message({ type => 'hello', protocol => 'parlour-bot/1', name => 'Flat Pearl', version => '1.0',
                      wants => ['information_state', 'determinizations'] });
    } elsif ($message->{type} eq 'observation') {
        $observation = $message;
        my $legal = @{ $message->{legal} };
        if ($legal == 1) { act(0); next }
        say_message({ type => 'determinize', number => 1 + int(600 / $legal), by => 'belief', cards => JSON::PP::false,
                      seed => hex(substr($message->{information_state}, 0, 7)), play_out => 'heuristic',
                      until => 'round', careless => 0.06 });
    } elsif ($message->{type} eq 'determinizations') {
        act(best($message, $observation->{seat}));
    } elsif ($message->{type} eq 'quit') {
        last;
    }
}
