package dev.sotto.serdes.record;

/**
 * A piece of the point at which the gradients of a round are taken.
 *
 * @param round that this opens, from 1
 * @param keyId name of the noise key under which the round is summed
 * @param index of the piece, from 0
 * @param pieces how many there are
 * @param weights packed little-endian doubles, at most 512 KiB
 */
public record RoundPoint(long round, String keyId, int index, int pieces, byte[] weights) {}
