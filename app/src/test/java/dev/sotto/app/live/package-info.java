/** Learners on a real broker: what they do with bad input, bad surroundings and large models. */
package dev.sotto.app.live;
