package dev.sotto.learner.loss;

import dev.sotto.learner.extension.ExtensionKind;
import dev.sotto.learner.extension.Extensions;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The settings of what is minimised. */
public final class ObjectiveSettings {
  /** {@link #LOSS}: one score per class. */
  public static final String SOFTMAX = "softmax";

  private static final String NETWORK = "network";
  private static final int MOST = 1 << 20;

  private static final ExtensionKind<LossProvider> OWN = new ExtensionKind<>(
      LossProvider.class,
      Stream.concat(
              Arrays.stream(Losses.values()).map(Losses::configName), Stream.of(SOFTMAX, NETWORK))
          .toList(),
      "a loss of your own");

  public static final ConfigKey<String> LOSS = ConfigKey.of(
      "loss",
      OWN.names(),
      "What is minimised. Labels must be " + labels() + "; for `softmax` whole numbers from 0"
          + " (label.names). `network` has one hidden layer, and takes the labels of"
          + " network.output (docs/algorithms.md). A loss of your own: docs/extending.md.");

  private static final ConfigKey<String> PARAMETERS = ConfigKey.of(
          "loss.parameters." + ConfigKey.FREE,
          ExtensionKind.parameters(),
          "A parameter of that loss; published in every snapshot.")
      .optional()
      .onlyWith(OWN.isNamedBy(LOSS));

  private static final ConfigKey<Integer> CLASSES = ConfigKey.of(
          "loss.classes",
          Domain.intBetween(2, MOST),
          "The classes of `softmax`, or of a network with that output; labels are 0 to one"
              + " less. Not needed with label.names.")
      .optional()
      .onlyWith(LOSS, SOFTMAX, NETWORK);

  private static final ConfigKey<Integer> HIDDEN = ConfigKey.of(
          "network.hidden", Domain.intBetween(1, MOST), "Units of the hidden layer.")
      .onlyWith(LOSS, NETWORK);

  private static final ConfigKey<Activations> ACTIVATION = ConfigKey.of(
          "network.activation",
          Domain.choice(Activations.values(), Activations::configName),
          "The function that each hidden unit applies to its input.")
      .orElse(Activations.TANH)
      .onlyWith(LOSS, NETWORK);

  private static final ConfigKey<String> OUTPUT = ConfigKey.of(
          "network.output",
          Domain.oneOf(Losses.LOGISTIC.configName(), Losses.SQUARED.configName(), SOFTMAX),
          "What the network's scores mean: the log-odds of label 1, a value, or one score per"
              + " class.")
      .orElse(Losses.LOGISTIC.configName())
      .onlyWith(LOSS, NETWORK);

  private static final ConfigKey<Long> SEED = ConfigKey.of(
          "network.seed",
          Domain.anyWhole(),
          "The public seed of the weights at which the network starts.")
      .orElse(1L)
      .onlyWith(LOSS, NETWORK);

  /** The names of the classes; declared here since they may stand for their number. */
  public static final ConfigKey<List<String>> LABEL_NAMES = ConfigKey.of(
          "label.names",
          Domain.items(),
          "For softmax: the names of the classes. The label is the place of the field's value in"
              + " this list, from 0, found as by label.classes; any other value counts as"
              + " empty.")
      .optional();

  private ObjectiveSettings() {}

  /** All of them but {@link #LABEL_NAMES}, in the order of the manual. */
  public static List<ConfigKey<?>> keys() {
    List<ConfigKey<?>> keys = new ArrayList<>(List.of(LOSS, PARAMETERS));
    for (Losses each : Losses.values()) {
      each.parameter().ifPresent(key -> keys.add(key.onlyWith(LOSS, each.configName())));
    }
    keys.addAll(List.of(CLASSES, HIDDEN, ACTIVATION, OUTPUT, SEED));
    return keys;
  }

  /** Losses by the labels that they take. */
  private static String labels() {
    Map<String, List<String>> losses = new LinkedHashMap<>();
    for (Losses each : Losses.values()) {
      losses
          .computeIfAbsent(each.labels(), labels -> new ArrayList<>())
          .add("`" + each.configName() + "`");
    }
    return losses.entrySet().stream()
        .map(each -> each.getKey() + " for " + String.join(", ", each.getValue()))
        .collect(Collectors.joining("; "));
  }

  /** Whether labels are the numbers of classes. */
  public static boolean hasClasses(Settings settings) {
    return settings.isUsable(LOSS)
        && (settings.get(LOSS).equals(SOFTMAX)
            || settings.get(LOSS).equals(NETWORK)
                && settings.isUsable(OUTPUT)
                && settings.get(OUTPUT).equals(SOFTMAX));
  }

  /** Whether the loss takes the labels 0 and 1 alone. */
  public static boolean isBinary(Settings settings) {
    return settings.isUsable(LOSS)
        && Losses.named(settings.get(LOSS))
            .filter(each -> !each.make().admits(0.5))
            .isPresent();
  }

  /** Whether labels are of two classes, 0 and 1, or shares between them. */
  public static boolean hasTwoClasses(Settings settings) {
    if (!settings.isUsable(LOSS)) {
      return false;
    }
    boolean network = settings.get(LOSS).equals(NETWORK);
    if (network && !settings.isUsable(OUTPUT)) {
      return false;
    }
    String loss = network ? settings.get(OUTPUT) : settings.get(LOSS);
    return loss.equals(SOFTMAX)
        ? settings.isUsable(CLASSES) && settings.get(CLASSES) == 2
        : Losses.named(loss)
            .map(each -> each.make())
            .filter(each -> each.admits(1) && !each.admits(2))
            .isPresent();
  }

  /** Whether labels may be learned in units of a range that is measured. */
  public static boolean takesMeasured(Settings settings) {
    if (!settings.isUsable(LOSS)) {
      return false;
    }
    boolean network = settings.get(LOSS).equals(NETWORK);
    return (!network || settings.isUsable(OUTPUT))
        && Losses.named(settings.get(network ? OUTPUT : LOSS))
            .flatMap(each -> each.make().measuredScale())
            .isPresent();
  }

  /** How many rows of weights there will be, as far as it is known; 1 otherwise. */
  public static int rows(Settings settings) {
    if (settings.isUsable(LOSS) && settings.get(LOSS).equals(NETWORK)) {
      return settings.isUsable(HIDDEN) ? settings.get(HIDDEN) : 1;
    }
    if (!hasClasses(settings)) {
      return 1;
    }
    return settings.isUsable(CLASSES)
        ? settings.get(CLASSES)
        : settings.isUsable(LABEL_NAMES) ? settings.get(LABEL_NAMES).size() : 1;
  }

  /** The objective. */
  public static NamedObjective read(Settings settings) {
    OWN.check(settings, LOSS);
    String loss = settings.get(LOSS);
    return switch (loss) {
      case SOFTMAX -> {
        int classes = classes(settings);
        yield new NamedObjective(SOFTMAX + "(" + classes + ")", new Softmax(classes));
      }
      case NETWORK -> network(settings);
      default ->
        Losses.named(loss)
            .map(each -> each.read(settings))
            .orElseGet(() -> own(settings, OWN.named(loss)));
    };
  }

  private static NamedObjective own(Settings settings, LossProvider provider) {
    Map<String, String> parameters = ExtensionKind.parameters(settings, PARAMETERS);
    try {
      return new NamedObjective(
          Extensions.text(provider, parameters),
          Objective.of(GuardedLoss.of(provider, parameters)));
    } catch (IllegalArgumentException broken) {
      throw settings.reject(
          LOSS, "does not work: " + provider.name() + " says: " + broken.getMessage());
    }
  }

  private static NamedObjective network(Settings settings) {
    String output = settings.get(OUTPUT);
    OutputLayer head;
    if (output.equals(SOFTMAX)) {
      int classes = classes(settings);
      head = new OutputLayer.Classes(classes);
      output = SOFTMAX + "(" + classes + ")";
    } else {
      if (settings.isGiven(CLASSES)) {
        throw settings.reject(
            CLASSES,
            "means nothing here: " + OUTPUT + " is " + output + "; remove it, or choose " + OUTPUT
                + " " + SOFTMAX);
      }
      head = new OutputLayer.Score(Losses.named(output).orElseThrow().make());
    }
    Activations activation = settings.get(ACTIVATION);
    int hidden = settings.get(HIDDEN);
    long seed = settings.get(SEED);
    return new NamedObjective(
        "network(hidden=" + hidden + " activation=" + activation.configName() + " output=" + output
            + " seed=" + seed + ")",
        settings.make(HIDDEN, () -> new Network(hidden, activation, head, seed)));
  }

  private static int classes(Settings settings) {
    List<String> names = settings.find(LABEL_NAMES).orElse(null);
    if (!settings.isGiven(CLASSES)) {
      if (names == null) {
        throw settings.reject(
            CLASSES, "must be given, or " + LABEL_NAMES + ": how many classes there are");
      }
      if (names.size() < 2) {
        throw settings.rejectValue(
            LABEL_NAMES, "name at least two classes", String.join(", ", names));
      }
      return names.size();
    }
    int classes = settings.get(CLASSES);
    if (names != null && names.size() != classes) {
      throw settings.rejectValue(
          CLASSES,
          "be the number of " + LABEL_NAMES + ", which are " + names.size() + "; remove it");
    }
    return classes;
  }
}
