/** Schemas by which users' records are written, of each kind that registries have. */
package dev.sotto.serdes.schema;
