#!/usr/bin/perl
# A bot as an external program, in Perl, which needs only Perl and its standard modules:
#
#     parlour match "exec:perl examples/program_bot.pl" random trime-kicker
#
# It reads messages from its standard input and answers on its standard output, each a line of JSON
# (docs/bot-protocol.md), and draws one of the legal actions. The draw depends only on the observation, so a game with
# the same deal is the same again.

use strict;
use warnings;
use JSON::PP;

$| = 1;    # flush each line: a buffered message would arrive late
my $json = JSON::PP->new->utf8->canonical;

sub say_message { print $json->encode(shift), "\n" }

while (my $line = <STDIN>) {
    my $message = $json->decode($line);
    if ($message->{type} eq 'hello') {
        say_message({ type => 'hello', protocol => 'parlour-bot/1', name => 'Peal', version => '1.0',
                      wants => ['information_state'] });
    } elsif ($message->{type} eq 'observation') {
        my @legal = @{ $message->{legal} };
        my $drawn = hex(substr($message->{information_state}, 0, 7)) % @legal;
        say_message({ type => 'act', do => $legal[$drawn], seen => $message->{seen} });
    } elsif ($message->{type} eq 'quit') {
        last;
    }
}
