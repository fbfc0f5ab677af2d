/**
 * Writes published models to files; start with {@link dev.sotto.connectors.model.ModelFileSink}.
 */
package dev.sotto.connectors.model;
