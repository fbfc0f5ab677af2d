/**
 * Every stored and published record, to and from Avro bytes; start with
 * {@link dev.sotto.serdes.record.Codecs}.
 */
package dev.sotto.serdes.record;
