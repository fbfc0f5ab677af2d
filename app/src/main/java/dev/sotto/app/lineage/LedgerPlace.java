package dev.sotto.app.lineage;

/**
 * An entry of the ledger: everything of its partition up to it has been handed on.
 *
 * @param partition of the ledger
 * @param sequence of the entry in the chain of the partition, from 1
 * @param hash SHA-256 of its bytes, in hexadecimal digits: what the next entry names
 */
record LedgerPlace(int partition, long sequence, String hash) {}
