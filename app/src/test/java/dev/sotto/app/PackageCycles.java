package dev.sotto.app;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which modules or packages of ours use which others, and a way back to where one began. */
final class PackageCycles {
  private static final String OURS = "dev.sotto.";

  /** Between what, with one that uses others. */
  enum Between {
    MODULES("app"),
    PACKAGES("app.command");

    final String user;

    Between(String user) {
      this.user = user;
    }

    private String of(String packageName) {
      String name = packageName.substring(OURS.length());
      return this == MODULES ? name.replaceFirst("\\..*", "") : name;
    }
  }

  private PackageCycles() {}

  /** What each uses directly. */
  static Map<String, Set<String>> uses(JavaClasses classes, Between which) {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass each : classes) {
      String from = which.of(each.getPackageName());
      for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
        String name = dependency.getTargetClass().getBaseComponentType().getPackageName();
        if (name.startsWith(OURS) && !which.of(name).equals(from)) {
          uses.computeIfAbsent(from, any -> new TreeSet<>()).add(which.of(name));
        }
      }
    }
    return uses;
  }

  static Set<String> together(Set<String> some, Set<String> more) {
    Set<String> all = new TreeSet<>(some);
    all.addAll(more);
    return all;
  }

  /** One cycle, in its order; empty where there is none. */
  static List<String> of(Map<String, Set<String>> uses) {
    Set<String> done = new TreeSet<>();
    for (String each : uses.keySet()) {
      List<String> cycle = from(each, uses, new ArrayDeque<>(), done);
      if (!cycle.isEmpty()) {
        return cycle;
      }
    }
    return List.of();
  }

  private static List<String> from(
      String name, Map<String, Set<String>> uses, Deque<String> way, Set<String> done) {
    if (way.contains(name)) {
      return List.copyOf(way).subList(List.copyOf(way).indexOf(name), way.size());
    }
    if (done.contains(name)) {
      return List.of();
    }
    way.addLast(name);
    for (String next : uses.getOrDefault(name, Set.of())) {
      List<String> cycle = from(next, uses, way, done);
      if (!cycle.isEmpty()) {
        return cycle;
      }
    }
    way.removeLast();
    done.add(name);
    return List.of();
  }
}
