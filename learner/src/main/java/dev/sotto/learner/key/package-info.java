/**
 * The secret noise key, the keys derived from it, and the noise vectors that follow from a key and
 * an address; start with {@link dev.sotto.learner.key.NoiseKey}.
 */
package dev.sotto.learner.key;
