package dev.sotto.learner.description;

/** What people see only where they ask for all of it. Programs get it always. */
public record Detail(Section section) implements Part {}
