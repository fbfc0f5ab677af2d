package dev.sotto.config.settings;

import static dev.sotto.topology.start.StartKeys.START_FROM;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.settings.NumberText;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.WeightTransfer;
import dev.sotto.serdes.record.StartingModel;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LabelKeys;
import dev.sotto.topology.settings.LearnerSettings.Start;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.start.StartResolver;
import dev.sotto.topology.start.StartSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run that begins at the published weights of another: which weights of its own these are, and
 * with which mu its ledger begins.
 */
public final class WarmStart {
  private WarmStart() {}

  /**
   * The model, found where the settings say; empty where they name none.
   *
   * @param clients Kafka client settings; without brokers a topic cannot be asked
   */
  public static Optional<Start> find(Settings settings, Map<String, String> clients) {
    if (!settings.isGiven(START_FROM)) {
      return Optional.empty();
    }
    StartSource source = StartSource.parse(settings.get(START_FROM))
        .orElseThrow(() ->
            settings.rejectValue(START_FROM, "name a topic that ends with .snapshots, or a file"));
    ModelIdRule.Source ids = settings.get(ApplicationKeys.MODEL_ID_SOURCE);
    if (ids != ModelIdRule.Source.CONSTANT) {
      throw settings.reject(
          START_FROM,
          "must be absent with " + ApplicationKeys.MODEL_ID_SOURCE + " " + ids.configName()
              + ": only a run of one model can begin at another's weights");
    }
    if (source instanceof StartSource.Topics
        && !clients.containsKey(ApplicationKeys.BOOTSTRAP_SERVERS.name())) {
      throw settings.reject(
          START_FROM,
          "must be a model file where no broker is asked (by --embedded, and by commands that read"
              + " files), but was " + settings.get(START_FROM)
              + "; write one with: sotto snapshot --out FILE");
    }
    return Optional.of(new StartResolver(clients, settings.get(ApplicationKeys.APP_ID))
        .resolve(
            source,
            new StartResolver.NewRun(
                topic(settings),
                isOnce(settings),
                settings.isGiven(ApplicationKeys.EVENTS_START)
                    && !settings
                        .get(ApplicationKeys.EVENTS_START)
                        .equals(ApplicationKeys.LATEST))));
  }

  private static boolean isOnce(Settings settings) {
    String contribution = settings.get(PlanKeys.CONTRIBUTION);
    return settings.get(PlanKeys.UNIT) == PrivacyUnit.RECORD
        && (contribution.equals(PlanKeys.USUAL) || contribution.equals(PlanKeys.ONCE));
  }

  /** Where labels come later, what is learned from is another topic for every learner. */
  private static String topic(Settings settings) {
    return settings.isGiven(LabelKeys.TOPIC)
        ? Names.labelled(settings.get(ApplicationKeys.APP_ID))
        : settings.get(ApplicationKeys.EVENTS_TOPIC);
  }

  /**
   * A budget of which the starting model's run has spent its part, too.
   *
   * @param features canonical text of the run's feature map, which says how units are named
   */
  static Budget budget(Settings settings, Budget budget, Start start, String features) {
    requireSameUnits(settings, start.model(), features);
    Adjacency adjacency = settings.get(PlanKeys.ADJACENCY);
    boolean once = isOnce(settings);
    double carried = start.model().carriedMu(adjacency, once);
    if (carried == Double.POSITIVE_INFINITY) {
      throw settings.reject(
          START_FROM,
          "does not work: what " + start.model().source() + " has cost "
              + (start.model().costsBesideMu()
                  ? "is not a mu alone, since failures of "
                      + start.model().newest().guarantee().mechanism()
                      + " took a part of its delta: its records cannot be learned again under one"
                      + " budget. Let the run begin after all that the old one has learned"
                      + " (docs/warm-start.md)"
                  : "has no limit, and its run may go on"));
    }
    double given = budget.spentMu();
    double spent = given == 0 || carried == 0
        ? given + carried
        : Math.nextUp(StrictMath.hypot(given, carried));
    if (spent > 0 && !(spent < budget.totalMu())) {
      throw settings.reject(
          START_FROM,
          "leaves nothing of the budget of mu " + NumberText.shortest(budget.totalMu()) + ": "
              + start.model().source() + " counts with mu " + NumberText.shortest(carried)
              + ", since " + start.notes().get(0)
              + ". Raise the budget"
              + (once
                  ? ", or let the run begin after all that the old one has learned"
                  : ": units with ids always carry the old cost, wherever the run begins")
              + " (docs/warm-start.md)");
    }
    return new Budget(
        budget.epsilon(), budget.delta(), spent, start.model().earlierMu(adjacency, once));
  }

  /** What is known of other units bounds nothing. */
  private static void requireSameUnits(Settings settings, StartingModel model, String features) {
    PrivacyUnit unit = settings.get(PlanKeys.UNIT);
    boolean byKey = unit.isId();
    PrivacyUnit before = model.newest().guarantee().unit();
    boolean byId = settings.get(PlanKeys.CONTRIBUTION).equals(PlanKeys.FIRST_OF_ID);
    boolean wasById =
        model.newest().terms().participation().equals(new Participation.ById().describe());
    String was = line("unit ", model.manifest().features());
    String is = line("unit ", features);
    if ((byKey || byId) && (before.isId() != byKey || byId != wasById || !was.equals(is))) {
      throw settings.reject(
          START_FROM,
          "does not work: what " + model.source() + " has cost is known of unit "
              + before.configName() + " (" + model.newest().terms().participation()
              + (was.isEmpty() ? "" : ", " + was) + "), which bounds nothing of unit "
              + unit.configName() + " (" + settings.get(PlanKeys.CONTRIBUTION) + ", " + is + ")");
    }
    if (isOnce(settings)) {
      requireSameJoin(settings, model, features);
    }
  }

  /**
   * Where labels come later a unit is all that one slot can see of an id. In a run that joined
   * nothing, or otherwise, that had several slots.
   */
  private static void requireSameJoin(Settings settings, StartingModel model, String features) {
    String was = join(model.manifest().features());
    String is = join(features);
    if (!is.isEmpty() && !was.equals(is)) {
      throw settings.reject(
          START_FROM,
          "does not work: a unit is all that one slot sees of an id, " + is + ", and what "
              + model.source() + " has cost is known of "
              + (was.isEmpty() ? "single records" : "units " + was)
              + ", of which it may hold several. Join by the same id within the same wait");
    }
  }

  /** By which id events and labels are joined, and within which wait; empty where they are not. */
  private static String join(String features) {
    String line = line("joined by ", features);
    return line.substring(0, Math.max(0, line.lastIndexOf(" missing ")));
  }

  /** The rule of labels that are learned in units of bounds, or of a range that is measured. */
  private static Optional<LabelRule> scale(String features) {
    return Optional.of(features)
        .filter(text -> text.startsWith(FeatureMapText.VERSION_LINE))
        .map(text -> FeatureMapText.parse(text).labelRule())
        .filter(rule -> rule instanceof LabelRule.Range || rule instanceof LabelRule.Measured);
  }

  /** The line of a canonical text that begins so; empty where there is none. */
  private static String line(String beginning, String features) {
    return features
        .lines()
        .filter(each -> each.startsWith(beginning))
        .findFirst()
        .orElse("");
  }

  /**
   * The weights at which learning starts.
   *
   * @param features canonical text of the run's feature map
   * @param dimension number of its weights
   */
  static double[] weights(
      Settings settings, Start start, NamedObjective objective, String features, int dimension) {
    StartingModel model = start.model();
    WeightTransfer transfer = WeightTransfer.between(model.manifest().features(), features)
        .orElseThrow(() -> settings.reject(
            START_FROM,
            "must be a model of the same features where events are not mapped by features.*: the"
                + " weights of " + model.source() + " have no names"));
    int rows = objective.objective().rows();
    int tail = objective.objective().tail();
    boolean sameLoss = objective.name().equals(model.manifest().loss());
    boolean single = rows == 1 && tail == 0;
    int expected = transfer.isIdentity() ? dimension : rows * transfer.inputs() + tail;
    if (model.weights().length != expected || !(single || sameLoss)) {
      throw settings.reject(
          START_FROM,
          "must be a model of a loss of the same shape: " + model.source() + " has "
              + model.weights().length + " weights under loss "
              + model.manifest().loss()
              + ", loss " + objective.name() + " would have had " + expected);
    }
    String was = line("label ", model.manifest().features());
    String is = line("label ", features);
    if (rows > 1 && !was.equals(is)) {
      throw settings.reject(
          START_FROM,
          "must be a model whose classes have the same names in the same order: " + model.source()
              + " has " + was + ", this run has " + is);
    }
    if (rows == 1 && !scale(model.manifest().features()).equals(scale(features))) {
      throw settings.reject(
          START_FROM,
          "must be a model whose label has the same bounds: " + model.source() + " has " + was
              + ", this run has " + is + ", and weights are in units of them. Keep the label as it"
              + " was, or begin without " + START_FROM.name());
    }
    if (transfer.isIdentity()) {
      return model.weights().clone();
    }
    if (tail > 0) {
      throw settings.reject(
          START_FROM,
          "must be a model of the very same features with loss " + objective.name()
              + ", whose further weights depend on all of them");
    }
    int inputs = dimension / rows;
    double[] weights = new double[dimension];
    for (int row = 0; row < rows; row++) {
      transfer.row(model.weights(), row * transfer.inputs(), weights, row * inputs);
    }
    if (!Vectors.isFinite(weights, dimension)) {
      throw settings.reject(
          START_FROM, "does not work: under the new bounds of a feature a weight overflows");
    }
    return weights;
  }

  /** The start, with what of its weights does not carry over. */
  public static Start explained(Start start, String features) {
    List<String> notes = new ArrayList<>(start.notes());
    WeightTransfer.between(start.model().manifest().features(), features)
        .ifPresent(transfer -> notes.addAll(transfer.notes()));
    for (String beginning : List.of("label ", "norm ")) {
      String was = line(beginning, start.model().manifest().features());
      String is = line(beginning, features);
      if (!was.equals(is)) {
        notes.add("was learned with \"" + was + "\", now it is \"" + is
            + "\": the old weights may mean something else");
      }
    }
    return new Start(start.model(), start.fromTopics(), notes);
  }
}
