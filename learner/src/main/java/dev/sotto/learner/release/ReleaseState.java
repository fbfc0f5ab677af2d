package dev.sotto.learner.release;

/**
 * What a {@link Releaser} needs to go on after a restart: inside the trust boundary, though it holds no
 * un-noised sum.
 *
 * @param round rounds released so far
 * @param digest the running digest, 32 bytes
 * @param prefix the noisy prefix, 16 bytes a coordinate
 * @param walk the mechanism's own state
 */
public record ReleaseState(long round, byte[] digest, byte[] prefix, byte[] walk) {}
