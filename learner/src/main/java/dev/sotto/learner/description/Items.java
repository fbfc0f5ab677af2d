package dev.sotto.learner.description;

import java.util.List;

/**
 * Sections of one kind: an array of objects for programs, one below the other for people.
 *
 * @param id the array's name; empty where only people see it
 */
public record Items(String id, List<Section> all) implements Part {
  public Items {
    all = List.copyOf(all);
  }
}
