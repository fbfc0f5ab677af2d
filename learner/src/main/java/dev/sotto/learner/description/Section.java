package dev.sotto.learner.description;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Facts, tables and words in their order, under a title or none. For programs a section is an
 * object: its facts and tables by their ids, those of the sections in it among them. For people it
 * is its sentences, words and tables, each section in it behind a blank line.
 */
public final class Section implements Part {
  private final String title;
  private final List<Part> parts = new ArrayList<>();

  private Section(String title) {
    this.title = title;
  }

  /** An empty section under a title. */
  public static Section titled(String title) {
    return new Section(title);
  }

  /** An empty section without a title. */
  public static Section untitled() {
    return new Section("");
  }

  /** Adds a fact that only programs get, or other parts show. */
  public Section fact(String id, Object value) {
    return fact(id, value, "");
  }

  /** Adds a fact with what people read of it. */
  public Section fact(String id, Object value, String sentence) {
    return add(new Fact(id, value, sentence));
  }

  /** Adds lines that people read. */
  public Section lines(String... lines) {
    for (String line : lines) {
      add(new Words(line, false));
    }
    return this;
  }

  /** Adds a sentence that people read, to be broken into lines. */
  public Section sentence(String sentence) {
    return add(new Words(sentence, true));
  }

  /** Adds a section as an object of its own. */
  public Section object(String id, Section object) {
    return add(new Nested(id, object));
  }

  /** Adds sections of one kind; see {@link Items}. */
  public Section items(String id, List<Section> all) {
    return add(new Items(id, all));
  }

  /** Adds what people see only where they ask for all of it; see {@link Detail}. */
  public Section detail(Section detail) {
    return add(new Detail(detail));
  }

  /** Adds the parts of another section, as if they were its own. */
  public Section append(Section other) {
    parts.addAll(other.parts);
    return this;
  }

  /** Adds a table or a section. */
  public Section add(Part part) {
    parts.add(part);
    return this;
  }

  public String title() {
    return title;
  }

  public List<Part> parts() {
    return List.copyOf(parts);
  }

  /** The value of a fact of its own; empty where there is none. */
  public Optional<Object> value(String id) {
    return parts.stream()
        .filter(Fact.class::isInstance)
        .map(Fact.class::cast)
        .filter(each -> each.id().equals(id) && each.value() != null)
        .map(Fact::value)
        .findFirst();
  }

  /** Whether it has a fact, be it without a value. */
  public boolean has(String id) {
    return parts.stream()
        .anyMatch(each -> each instanceof Fact fact && fact.id().equals(id));
  }

  /** The rows of the tables that programs get. */
  public List<Section> rows() {
    return parts.stream()
        .filter(Table.class::isInstance)
        .map(Table.class::cast)
        .filter(each -> !each.id().isEmpty())
        .flatMap(each -> each.rows().stream())
        .map(Table.Row::facts)
        .toList();
  }
}
