#!/usr/bin/perl
# Flat Monte Carlo as a program of its own, which knows no rule of any game:
#
#     parlour match "exec:perl examples/program_search.pl" thumb trime-kicker
#
# At each decision it asks Parlour for determinizations of what it sees, and for the results of playing each legal
# action in each of them and then going on by the heuristic (docs/bot-protocol.md). It plays the action with the best
# mean. The seed comes from what it sees, so the same game is the same.

use strict;
use warnings;
use JSON::PP;

$| = 1;    # or what it says would wait in a buffer, and the bot would be late
my $json = JSON::PP->new->utf8->canonical;
my $observation;

sub say_message { print $json->encode(shift), "\n" }

sub act { say_message({ type => 'act', do => $observation->{legal}[shift], seen => $observation->{seen} }) }

# The value of an end to a seat: first place, and before the last round the lead over the mean of all.
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
