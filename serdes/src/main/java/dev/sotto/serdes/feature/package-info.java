/**
 * From the fields of an event to an example, by public rules; start with
 * {@link dev.sotto.serdes.feature.FeatureMap}.
 */
package dev.sotto.serdes.feature;
