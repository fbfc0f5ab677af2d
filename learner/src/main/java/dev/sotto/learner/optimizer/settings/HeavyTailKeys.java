package dev.sotto.learner.optimizer.settings;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The keys of the algorithms for heavy-tailed gradients; {@link HeavyTails} reads them. */
public final class HeavyTailKeys {
  public static final ConfigKey<Double> MOMENT = ConfigKey.of(
          "heavy.moment",
          Domain.positive(),
          "r_k: a public bound of the k-th root of the mean k-th power of gradient norms."
              + " Unless given, gradients count as no longer than clip.norm.")
      .optional();

  static final ConfigKey<Double> ORDER = ConfigKey.of(
          "heavy.moment.order",
          Domain.numbers("at least 2 and finite", k -> k >= 2 && k < Double.POSITIVE_INFINITY),
          "k of heavy.moment.")
      .orElse(2.0);

  static final ConfigKey<Double> SECOND = ConfigKey.of(
          "heavy.moment.second",
          Domain.positive(),
          "r_2, where less than heavy.moment: the same of order 2.")
      .optional();

  static final ConfigKey<Double> TWICE = ConfigKey.of(
          "heavy.moment.twice",
          Domain.positive(),
          "r_2k, the same of order 2k, needed besides heavy.moment.")
      .optional();

  static final ConfigKey<Double> DIAMETER = ConfigKey.of(
          "heavy.diameter",
          Domain.positive(),
          "D: weights stay in a ball of this diameter around zero (or the network's start);"
              + " steps grow with it.")
      .orElse(80.0);

  static final ConfigKey<Double> SMOOTHNESS = ConfigKey.of(
          "heavy.smoothness",
          Domain.positive(),
          "The smoothness of the mean loss. Unless given, that of the loss at features of norm"
              + " 1: give it with features.norm none.")
      .optional();

  static final ConfigKey<Double> CONVEXITY = ConfigKey.of(
          "heavy.strong.convexity",
          Domain.positive(),
          "The modulus of strong convexity of the mean loss, where known.")
      .optional();

  static final ConfigKey<Double> REGULARIZATION = ConfigKey.of(
          "heavy.regularization",
          Domain.numbers(
              "at least 0 and finite", value -> value >= 0 && value < Double.POSITIVE_INFINITY),
          "Half of this times the squared distance of the weights from the block's start is"
              + " added to the loss. Unless given, 0 with heavy.strong.convexity, and otherwise a"
              + " tenth of the smoothness.")
      .optional();

  static final ConfigKey<Double> L1 = ConfigKey.of(
          "prox.l1",
          Domain.numbers(
              "at least 0 and finite", value -> value >= 0 && value < Double.POSITIVE_INFINITY),
          "The factor of the l1 norm of the weights, which is added to the loss, at no privacy"
              + " cost: useless weights become 0.")
      .orElse(0.0);

  static final ConfigKey<Double> BOX = ConfigKey.of(
          "prox.box",
          Domain.positive(),
          "The largest magnitude of a weight. Unless given, half of heavy.diameter.")
      .optional();

  static final ConfigKey<Long> CAP = ConfigKey.of(
          "localized.cap",
          Domain.between(1, 1L << 40),
          "The most passes of a phase over its slots. The paper asks for far more.")
      .orElse(400L);

  static final String CLIPPED_MEAN = "clipped-mean";
  static final String MEDIAN_OF_MEANS = "median-of-means";

  static final ConfigKey<String> ORACLE = ConfigKey.of(
          "heavy.oracle",
          Domain.oneOf(CLIPPED_MEAN, MEDIAN_OF_MEANS),
          "How a batch of gradients becomes one: their clipped mean, or, as a baseline, each"
              + " coordinate's median of the means of heavy.groups groups.")
      .orElse(CLIPPED_MEAN);

  static final ConfigKey<Integer> MEDIAN_GROUPS = ConfigKey.of(
          "heavy.groups", Domain.intBetween(3, 9999), "Groups of a batch's slots: an odd number.")
      .orElse(9)
      .onlyWith(ORACLE, MEDIAN_OF_MEANS);

  static final String AUTO = "auto";
  static final String RULE = "rule";
  static final String QUANTILE = "quantile";

  static final ConfigKey<String> CLIP = ConfigKey.of(
          "heavy.clip",
          Domain.oneOf(AUTO, RULE, QUANTILE),
          "`rule`: all blocks have the clip of clip.norm, the moment or the loss. `quantile`:"
              + " later blocks take a noisy quantile of the gradient norms of the block before, for"
              + " one more reading and a twentieth of the squared mu. `auto`: quantile where the"
              + " moment decides; else rule.")
      .orElse(AUTO);

  private static final List<ConfigKey<?>> ALL =
      List.of(BlockKeys.SLOTS, MOMENT, ORDER, SECOND, DIAMETER, CLIP);

  static final List<ConfigKey<?>> AC_SA_KEYS = and(SMOOTHNESS);
  static final List<ConfigKey<?>> SGD_KEYS =
      and(SMOOTHNESS, CONVEXITY, REGULARIZATION, ORACLE, MEDIAN_GROUPS);
  static final List<ConfigKey<?>> PROX_KEYS = and(SMOOTHNESS, CONVEXITY, REGULARIZATION, L1, BOX);
  static final List<ConfigKey<?>> LOCALIZED_KEYS = and(TWICE, CONVEXITY, CAP);

  private HeavyTailKeys() {}

  private static List<ConfigKey<?>> and(ConfigKey<?>... more) {
    List<ConfigKey<?>> keys = new ArrayList<>(ALL);
    keys.addAll(Arrays.asList(more));
    return List.copyOf(keys);
  }
}
