package dev.sotto.learner.mechanism;

import dev.sotto.learner.mechanism.PathNoise.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@link CallNoise} in one line: the numbers that all phases share, each kind of call with its
 * phases, and how often which kind comes, in their order.
 */
final class CallNoiseLine {
  private static final List<String> NAMES =
      List.of("dimension=", "reach=", "ratio=", "domain=", "pull=", "failure=");
  private static final String CALL = "call=";
  private static final String ORDER = "order=";

  private CallNoiseLine() {}

  static String of(CallNoise noise) {
    CallNoise.Shape shape = noise.shape();
    StringBuilder text = new StringBuilder(NAMES.get(0)).append(shape.dimension());
    double[] numbers = {shape.reach(), shape.ratio(), shape.domain(), shape.pull(), shape.failure()
    };
    for (int i = 0; i < numbers.length; i++) {
      text.append(' ').append(NAMES.get(i + 1)).append(Double.toHexString(numbers[i]));
    }
    for (List<Phase> row : noise.rows()) {
      text.append(' ')
          .append(CALL)
          .append(row.stream()
              .map(each -> each.slots() + "@" + Double.toHexString(each.step()))
              .collect(Collectors.joining(",")));
    }
    text.append(' ').append(ORDER);
    List<Integer> order = noise.order();
    for (int i = 0; i < order.size(); ) {
      int end = i + 1;
      while (end < order.size() && order.get(end).equals(order.get(i))) {
        end++;
      }
      text.append(i == 0 ? "" : ",").append(order.get(i));
      if (end - i > 1) {
        text.append('*').append(end - i);
      }
      i = end;
    }
    return text.toString();
  }

  /**
   * The mechanism of such a line.
   *
   * @throws IllegalArgumentException for any other line
   */
  static CallNoise parse(String line) {
    String[] parts = line.split(" ", -1);
    int shared = NAMES.size();
    if (parts.length < shared + 2) {
      throw new IllegalArgumentException(
          CallNoise.NAME + " has " + NAMES + ", calls and their order, but was: " + line);
    }
    double[] numbers = new double[shared];
    for (int i = 0; i < shared; i++) {
      numbers[i] = Double.parseDouble(value(parts[i], NAMES.get(i)));
    }
    List<List<Phase>> rows = new ArrayList<>();
    for (int i = shared; i < parts.length - 1; i++) {
      rows.add(phases(value(parts[i], CALL)));
    }
    CallNoise.Shape shape = new CallNoise.Shape(
        Integer.parseInt(value(parts[0], NAMES.get(0))),
        numbers[1],
        numbers[2],
        numbers[3],
        numbers[4],
        numbers[5]);
    CallNoise read = new CallNoise(shape, rows, order(value(parts[parts.length - 1], ORDER)));
    if (!read.parameters().equals(line)) {
      throw new IllegalArgumentException(
          "unknown parameters of mechanism " + CallNoise.NAME + ": " + line);
    }
    return read;
  }

  private static List<Phase> phases(String text) {
    List<Phase> phases = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      String[] phase = each.split("@", -1);
      if (phase.length != 2) {
        throw new IllegalArgumentException("a phase is slots@step, but was " + each);
      }
      phases.add(new Phase(Long.parseLong(phase[0]), Double.parseDouble(phase[1])));
    }
    return phases;
  }

  private static List<Integer> order(String text) {
    List<Integer> order = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      String[] run = each.split("\\*", -1);
      int times = run.length == 1 ? 1 : Integer.parseInt(run[1]);
      if (run.length > 2 || times < 1 || times > 1 << 20) {
        throw new IllegalArgumentException("calls are row*times, but were " + each);
      }
      for (int i = 0; i < times; i++) {
        order.add(Integer.parseInt(run[0]));
      }
    }
    return order;
  }

  static String value(String part, String name) {
    if (!part.startsWith(name)) {
      throw new IllegalArgumentException(name + " was expected, but was " + part);
    }
    return part.substring(name.length());
  }
}
