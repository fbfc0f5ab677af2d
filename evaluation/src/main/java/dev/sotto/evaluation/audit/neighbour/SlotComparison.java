package dev.sotto.evaluation.audit.neighbour;

import dev.sotto.evaluation.audit.neighbour.SlotTrace.Content;
import dev.sotto.evaluation.audit.neighbour.SlotTrace.Place;
import dev.sotto.evaluation.audit.noise.NoiseDistribution;
import dev.sotto.evaluation.audit.noise.NoiseMatrix;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** In which slots two neighbouring logs differ, and whether their unit may. */
final class SlotComparison {
  private final LearnerSettings settings;
  private final EventShape.Grouping grouping;
  private final String unit; // null where it is a record, or what one id joins
  private final Map<Place, Content> one;
  private final Map<Place, Content> other;
  private final Map<String, List<Place>> differences = new TreeMap<>(); // by model
  private final List<String> faults = new ArrayList<>();
  private final Set<Place> all;

  SlotComparison(EventShape shape, String unit, SlotTrace one, SlotTrace other) {
    this.settings = shape.settings();
    this.grouping = shape.grouping();
    this.unit = unit;
    this.one = one.slots();
    this.other = other.slots();
    this.all = new TreeSet<>(this.one.keySet());
    all.addAll(this.other.keySet());
    for (SlotTrace each : List.of(one, other)) {
      if (each.changed() != null) {
        faults.add(each.changed() + " held something else when it was filled again");
      }
    }
    compare();
  }

  /** What must not be. */
  List<String> faults() {
    return faults;
  }

  /** How many slots of either log there are. */
  int slots() {
    return all.size();
  }

  /** How many of them add something in either log. */
  long used() {
    return all.stream()
        .filter(at -> !isNothing(one, at) || !isNothing(other, at))
        .count();
  }

  private static boolean isNothing(Map<Place, Content> log, Place at) {
    return log.getOrDefault(at, Content.NOTHING).isNothing();
  }

  /** The most slots of one model in which the logs differ. */
  int most() {
    return differences.values().stream().mapToInt(List::size).max().orElse(0);
  }

  private void compare() {
    for (Place at : all) {
      Content here = one.get(at);
      Content there = other.get(at);
      if (here == null || there == null) {
        faults.add(at + " is there in one of the logs only");
      } else if (!here.equals(there)) {
        differences.computeIfAbsent(at.model(), none -> new ArrayList<>()).add(at);
      }
    }
    differences.forEach((model, places) -> {
      if (grouping != EventShape.Grouping.UNIT) {
        if (places.size() > 1) {
          faults.add("one unit decides " + places.size() + " slots: " + few(places));
        }
      } else {
        places.forEach(this::requireItsOwn);
        requireAllowance(model, places, one);
        requireAllowance(model, places, other);
      }
    });
  }

  private void requireItsOwn(Place at) {
    for (Content each : List.of(one.get(at), other.get(at))) {
      if (!each.isNothing() && !each.units().contains(unit)) {
        faults.add(at + " differs, and is another unit's");
      }
    }
  }

  /** What a unit adds in one log must be no more than its plan lets it. */
  private void requireAllowance(String model, List<Place> places, Map<Place, Content> log) {
    List<Place> used = places.stream().filter(at -> !isNothing(log, at)).toList();
    Set<Long> rounds = new HashSet<>();
    used.forEach(at -> rounds.add(at.round()));
    Plan plan = settings.planOf(model);
    if (rounds.size() < used.size()) {
      faults.add("a unit has several slots of one round: " + few(used));
    }
    long most = plan.participation().bound().most();
    if (plan.participation().remembersUnits() && used.size() > most) {
      faults.add("a unit has " + used.size() + " slots of at most " + most + ": " + few(used));
    }
    if (!used.isEmpty() && !plan.hasOwnMechanism() && !plan.mechanism().isPure()) {
      requireCost(plan, rounds);
    }
  }

  private void requireCost(Plan plan, Set<Long> rounds) {
    long[] ascending = rounds.stream().mapToLong(Long::longValue).sorted().toArray();
    int last = (int) ascending[ascending.length - 1];
    double cost = NoiseDistribution.of(plan)
        .cost(NoiseMatrix.of(plan).moved(ascending, last), plan.sensitivity());
    double ledger = plan.guarantee(last).mu();
    if (!(cost <= ledger * (1 + 1e-9))) {
      faults.add(String.format(
          Locale.ROOT, "a unit's slots cost mu = %.6f where the ledger has %.6f", cost, ledger));
    }
  }

  private static String few(List<Place> places) {
    return places.subList(0, Math.min(3, places.size())) + (places.size() > 3 ? " ..." : "");
  }
}
