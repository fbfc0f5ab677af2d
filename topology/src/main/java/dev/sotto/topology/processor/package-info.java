/**
 * The processors: load, call, write; start with
 * {@link dev.sotto.topology.processor.TrainerProcessor}.
 */
package dev.sotto.topology.processor;
