package dev.sotto.learner.description;

/**
 * A section that is an object of its own for programs, and stands in its place for people.
 *
 * @param id the object's name
 */
public record Nested(String id, Section section) implements Part {}
