package dev.sotto.app.config;

import dev.sotto.learner.extension.Extensions;
import dev.sotto.learner.loss.Activations;
import dev.sotto.learner.loss.GuardedLoss;
import dev.sotto.learner.loss.Head;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.LossProvider;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Network;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Softmax;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Builds what is minimised out of settings. */
final class Goals {
  static final String SOFTMAX = "softmax";
  static final String NETWORK = "network";
  static final String CLASSES = "loss.classes";
  static final String NAMES = "label.names";

  /** What is minimised, and its name with all that decides it. */
  record Goal(String name, Objective objective) {}

  private final Values values;
  private final Faults faults;

  Goals(Values values, Faults faults) {
    this.values = values;
    this.faults = faults;
  }

  /** Every name that {@code loss} may have. */
  static String[] names() {
    return Stream.concat(
            Arrays.stream(Losses.values()).map(Losses::configName), Stream.of(SOFTMAX, NETWORK))
        .toArray(String[]::new);
  }

  /** Whether labels are the numbers of classes; false where that cannot be told yet. */
  static boolean tellsClassesApart(Values values) {
    if (!values.has("loss")) {
      return false;
    }
    String loss = values.text("loss");
    return loss.equals(SOFTMAX)
        || loss.equals(NETWORK)
            && values.has("network.output")
            && values.text("network.output").equals(SOFTMAX);
  }

  /** The goal, or null after a fault. */
  Goal build() {
    Own.LOSS.check(faults);
    if (!values.sound("loss")) {
      return null;
    }
    return switch (values.text("loss")) {
      case SOFTMAX -> softmax();
      case NETWORK -> network();
      default -> {
        Optional<Losses> named = Losses.named(values.text("loss"));
        yield named.isPresent()
            ? score(named.get())
            : own(Own.LOSS.find().named(values.text("loss")).orElseThrow());
      }
    };
  }

  private Goal own(LossProvider provider) {
    Map<String, String> parameters = Own.parameters(values, Own.LOSS_PARAMETERS);
    try {
      return new Goal(
          Extensions.text(provider, parameters),
          Objective.of(GuardedLoss.of(provider, parameters)));
    } catch (IllegalArgumentException broken) {
      faults.add("loss", "does not work: " + provider.name() + " says: " + broken.getMessage());
      return null;
    }
  }

  private Goal score(Losses named) {
    String key = switch (named) {
      case HUBER -> "loss.threshold";
      case SMOOTHED_HINGE -> "loss.smoothing";
      case QUANTILE -> "loss.quantile";
      default -> null;
    };
    if (key == null) {
      return new Goal(named.configName(), Objective.of(named.make()));
    }
    if (!values.sound(key)) {
      return null;
    }
    double parameter = values.number(key);
    Loss loss = named.make(parameter);
    return new Goal(
        named.configName() + "(" + Numbers.shortest(parameter) + ")", Objective.of(loss));
  }

  private Goal softmax() {
    int classes = classes();
    return classes == 0 ? null : new Goal("softmax(" + classes + ")", new Softmax(classes));
  }

  private Goal network() {
    if (!values.sound("network.hidden", "network.activation", "network.output", "network.seed")) {
      return null;
    }
    String output = values.text("network.output");
    Head head;
    if (output.equals(SOFTMAX)) {
      int classes = classes();
      if (classes == 0) {
        return null;
      }
      head = new Head.Classes(classes);
      output = "softmax(" + classes + ")";
    } else {
      if (values.given(CLASSES)) {
        faults.add(
            CLASSES,
            "means nothing here: network.output is " + output
                + "; remove it, or choose network.output softmax");
        return null;
      }
      head = new Head.Score(Losses.named(output).orElseThrow().make());
    }
    Activations activation =
        Activations.named(values.text("network.activation")).orElseThrow();
    int hidden = (int) values.whole("network.hidden");
    long seed = values.whole("network.seed");
    try {
      return new Goal(
          "network(hidden=" + hidden + " activation=" + activation.configName() + " output="
              + output + " seed=" + seed + ")",
          new Network(hidden, activation, head, seed));
    } catch (IllegalArgumentException broken) {
      faults.add("network.hidden", "does not work: " + broken.getMessage());
      return null;
    }
  }

  /** The number of classes, or 0 after a fault. */
  private int classes() {
    boolean named = values.given(NAMES);
    if (named && !values.has(NAMES) || values.given(CLASSES) && !values.has(CLASSES)) {
      return 0;
    }
    int names = named ? values.list(NAMES).size() : 0;
    if (!values.given(CLASSES)) {
      if (!named) {
        faults.add(CLASSES, "must be given, or label.names: how many classes there are");
      } else if (names < 2) {
        faults.must(NAMES, "name at least two classes", String.join(", ", values.list(NAMES)));
        return 0;
      }
      return names;
    }
    int classes = (int) values.whole(CLASSES);
    if (named && names != classes) {
      faults.must(
          CLASSES, "be the number of label.names, which are " + names + "; remove it", classes);
      return 0;
    }
    return classes;
  }
}
