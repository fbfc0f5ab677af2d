package dev.sotto.testkit.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The faults of {@code testkit/faults.txt}. Blank lines part them; a fault is its name, then what is
 * wrong, the source, the tests, and its lines:
 *
 * <pre>
 * name
 *   wrong page.md#section: what is wrong then
 *   in module/src/main/java/…
 *   caught by module ClassTest …
 * - a line of the source
 * + a line in its place
 * </pre>
 */
final class FaultTable {
  private static final String FILE = "testkit/faults.txt";
  private static final String WRONG = "  wrong ";
  private static final String IN = "  in ";
  private static final String CAUGHT = "  caught by ";

  private FaultTable() {}

  /** All faults, of a checkout. */
  static List<PlantedFault> read(Path checkout) throws IOException {
    List<PlantedFault> faults = new ArrayList<>();
    for (String block : Files.readString(checkout.resolve(FILE)).split("\n\n+")) {
      List<String> lines = block.lines().filter(each -> !each.startsWith("#")).toList();
      if (!lines.isEmpty()) {
        faults.add(fault(lines));
      }
    }
    return faults;
  }

  private static PlantedFault fault(List<String> lines) {
    String[] wrong = rest(lines, 1, WRONG).split(": ", 2);
    List<String> tests = Arrays.asList(rest(lines, 3, CAUGHT).split(" "));
    return new PlantedFault(
        lines.get(0),
        wrong[0],
        wrong[1],
        rest(lines, 2, IN),
        tests.get(0),
        tests.subList(1, tests.size()),
        marked(lines, "-"),
        marked(lines, "+"));
  }

  private static String rest(List<String> lines, int at, String word) {
    if (lines.size() <= at || !lines.get(at).startsWith(word)) {
      throw new IllegalStateException(FILE + ": line " + (at + 1) + " of " + lines.get(0)
          + " must begin with \"" + word + "\"");
    }
    return lines.get(at).substring(word.length());
  }

  private static List<String> marked(List<String> lines, String mark) {
    return lines.stream()
        .filter(each -> each.startsWith(mark))
        .map(each -> each.substring(1).strip())
        .toList();
  }

  /**
   * Whether all of them can be planted.
   *
   * @throws IllegalStateException where one cannot
   */
  static void check(Path checkout, List<PlantedFault> faults) throws IOException {
    for (PlantedFault each : faults) {
      each.plant(Files.readString(checkout.resolve(each.source())));
    }
  }

  /** A checkout. */
  public static void main(String[] arguments) throws IOException {
    Path checkout = Path.of(arguments[0]);
    List<PlantedFault> faults = read(checkout);
    try {
      check(checkout, faults);
    } catch (IllegalStateException changed) {
      System.err.println(changed.getMessage());
      System.exit(1);
    }
    System.out.println(faults.size() + " faults can be planted");
  }
}
