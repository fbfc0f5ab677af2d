package dev.sotto.testkit.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A fault of main code that the short suite must notice: some lines of one source in the place of
 * others.
 *
 * @param name one word
 * @param anchor of the documents, {@code page.md#section}, where the promise stands
 * @param wrong what is wrong then
 * @param source below the checkout
 * @param module whose tests notice it
 * @param tests simple names of their classes
 * @param before whole lines, one behind the other, without what they are indented by
 * @param after the lines in their place
 */
record PlantedFault(
    String name,
    String anchor,
    String wrong,
    String source,
    String module,
    List<String> tests,
    List<String> before,
    List<String> after) {

  /**
   * The source with the fault in it.
   *
   * @throws IllegalStateException where its lines are not there, or not once
   */
  String plant(String text) {
    List<String> lines = text.lines().collect(Collectors.toCollection(ArrayList::new));
    List<String> stripped = lines.stream().map(String::strip).toList();
    List<Integer> places = new ArrayList<>();
    for (int at = 0; at + before.size() <= lines.size(); at++) {
      if (stripped.subList(at, at + before.size()).equals(before)) {
        places.add(at);
      }
    }
    if (places.size() != 1 || before.equals(after)) {
      throw new IllegalStateException("fault " + name + ": " + source
          + " must have these lines once, and others in their place, but has them "
          + places.size() + " times; change the fault with the code:\n"
          + String.join("\n", before));
    }
    List<String> planted = lines.subList(places.get(0), places.get(0) + before.size());
    planted.clear();
    planted.addAll(after);
    return String.join("\n", lines) + "\n";
  }
}
