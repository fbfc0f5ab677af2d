package dev.sotto.learner.description;

/** A part of a {@link Section}. */
public sealed interface Part permits Fact, Words, Table, Items, Nested, Detail, Section {}
