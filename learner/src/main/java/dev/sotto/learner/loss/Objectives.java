package dev.sotto.learner.loss;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what plans and snapshots call their objective: {@code logistic}, {@code huber(0.5)},
 * {@code softmax(10)}, {@code network(hidden=32 activation=tanh output=softmax(10) seed=1)}. So
 * whoever holds weights knows how many rows they have, and what they predict.
 */
public final class Objectives {
  private static final Pattern CALL = Pattern.compile("([a-z-]+)(?:\\(([^()]*)\\))?");
  private static final Pattern NETWORK =
      Pattern.compile("network\\(hidden=(\\d+) activation=([a-z]+) output=([a-z]+(?:\\(\\d+\\))?)"
          + " seed=(-?\\d+)\\)");

  private Objectives() {}

  /** The objective of a name, or empty where the name is of another kind. */
  public static Optional<Objective> named(String name) {
    try {
      Matcher network = NETWORK.matcher(name);
      return network.matches() ? network(network) : simple(name);
    } catch (IllegalArgumentException beyond) { // a number that no objective takes
      return Optional.empty();
    }
  }

  private static Optional<Objective> simple(String name) {
    Matcher call = CALL.matcher(name);
    if (!call.matches()) {
      return Optional.empty();
    }
    String argument = call.group(2);
    if (call.group(1).equals("softmax")) {
      return argument == null
          ? Optional.empty()
          : Optional.of(new Softmax(Integer.parseInt(argument)));
    }
    return Losses.named(call.group(1))
        .filter(each -> each.hasParameter() || argument == null)
        .map(each -> argument == null ? each.make() : each.make(Double.parseDouble(argument)))
        .map(Objective::of);
  }

  private static Optional<Objective> network(Matcher text) {
    Optional<Objective> output = simple(text.group(3));
    Optional<Activations> activation = Activations.named(text.group(2));
    if (output.isEmpty() || activation.isEmpty()) {
      return Optional.empty();
    }
    OutputLayer head = output.get() instanceof Softmax softmax
        ? new OutputLayer.Classes(softmax.classes())
        : new OutputLayer.Score(((SingleScore) output.get()).loss());
    return Optional.of(new Network(
        Integer.parseInt(text.group(1)), activation.get(), head, Long.parseLong(text.group(4))));
  }
}
