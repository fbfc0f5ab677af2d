/** Turns user events into examples; start with {@link dev.sotto.serdes.event.FeatureMap}. */
package dev.sotto.serdes.event;
