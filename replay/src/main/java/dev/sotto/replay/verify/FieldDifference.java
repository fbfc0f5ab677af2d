package dev.sotto.replay.verify;

/**
 * A field with two values, as text: numbers in full, bytes in hexadecimal.
 *
 * @param name of the field, as in the ledger, the manifest or the metrics
 * @param published what was published; empty where there is nothing
 * @param replayed what was replayed; empty where there is nothing
 */
public record FieldDifference(String name, String published, String replayed) {}
