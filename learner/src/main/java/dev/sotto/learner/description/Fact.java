package dev.sotto.learner.description;

/**
 * A figure or a text.
 *
 * @param id its name for programs
 * @param value a number, a text, a truth value, a section, a list of these, or null where there is
 *     none
 * @param sentence what people read, in one or more lines; empty where other parts show the value
 */
public record Fact(String id, Object value, String sentence) implements Part {}
