/**
 * State as bytes in a store, in pages; start with {@link dev.sotto.topology.store.LearnerStore}.
 */
package dev.sotto.topology.store;
