#!/usr/bin/perl
# A bot that is a program of its own, in Perl, with nothing but what Perl brings along:
#
#     parlour match "exec:perl examples/program_bot.pl" random trime-kicker
#
# It reads messages from its standard input and answers on its standard output, each a line of JSON
# (docs/bot-protocol.md), and draws one of the legal actions. It draws by what it sees, so the same game is the same.

use strict;
use warnings;
use JSON::PP;

$| = 1;    # or what it says would wait in a buffer, and the bot would be late
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
