package dev.sotto.learner.round;

/**
 * A round in the making, for a checkpoint.
 *
 * @param sealedSum the encrypted exact sum
 * @param content the fingerprint of the slots so far, 16 bytes
 */
public record OpenRound(byte[] sealedSum, byte[] content) {}
