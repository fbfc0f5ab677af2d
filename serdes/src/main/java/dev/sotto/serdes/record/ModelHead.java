package dev.sotto.serdes.record;

/**
 * One model's place in its ledger, written at every close.
 *
 * @param runId 16 bytes that name the run
 * @param fingerprint SHA-256 of the configuration
 * @param keyId public name of the noise key
 * @param round rounds closed
 */
public record ModelHead(byte[] runId, byte[] fingerprint, String keyId, long round) {}
