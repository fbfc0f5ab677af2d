/**
 * What a learner writes and holds: bytes of every topic and disk in a day, and what it takes of
 * memory; start with {@link dev.sotto.evaluation.volume.VolumeForecast}.
 */
package dev.sotto.evaluation.volume;
