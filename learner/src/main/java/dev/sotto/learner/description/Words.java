package dev.sotto.learner.description;

/**
 * What only people read.
 *
 * @param text lines as they are, or one sentence to be broken into lines
 * @param wrapped whether it is to be broken
 */
public record Words(String text, boolean wrapped) implements Part {}
