package dev.sotto.serdes.record;

/**
 * One model's place in its ledger, written with every version; in layout rounds at every
 * close.
 *
 * @param runId 16 bytes that name the run
 * @param fingerprint SHA-256 of the configuration
 * @param keyId public name of the noise key
 * @param round rounds paid for by the ledger: the newest version
 * @param openedRound the newest round that was opened for workers; 0 where there are none
 * @param openedKeyId name of the noise key of that round
 */
public record ModelHead(
    byte[] runId,
    byte[] fingerprint,
    String keyId,
    long round,
    long openedRound,
    String openedKeyId) {}
