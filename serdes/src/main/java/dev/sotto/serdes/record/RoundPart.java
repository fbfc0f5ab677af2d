package dev.sotto.serdes.record;

/**
 * A piece of one worker's part of a round.
 *
 * @param round from 1
 * @param partition of the event topic
 * @param from offset of the slice's first slot
 * @param to one past the offset of its last slot
 * @param attempt the same for all pieces that belong together; another where the part is sent again
 * @param index of the piece, from 0
 * @param pieces how many there are
 * @param sealed at most 512 KiB of the encrypted sum
 */
public record RoundPart(
    long round,
    int partition,
    long from,
    long to,
    long attempt,
    int index,
    int pieces,
    byte[] sealed) {}
