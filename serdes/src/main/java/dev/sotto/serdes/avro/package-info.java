/**
 * Avro primitives, schemas and single-object encoding; start with
 * {@link dev.sotto.serdes.avro.SingleObject}.
 */
package dev.sotto.serdes.avro;
