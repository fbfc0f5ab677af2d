package dev.sotto.testkit.faults;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Plants the faults, one at a time, and runs the tests that must notice them; {@code testkit/faults}
 * says how. A fault is compiled into a folder of its own that stands before the module on the class
 * path, so that nothing else is compiled again and no source is ever changed.
 */
final class PlantedFaults {
  private static final int MINUTES = 15; // for the tests of one fault

  private final Path checkout;
  private final Path work;
  private final String launcher;
  private final boolean wholeModule;

  private PlantedFaults(Path checkout, boolean wholeModule) throws IOException {
    this.checkout = checkout;
    this.work = Files.createDirectories(checkout.resolve("target/faults"));
    this.launcher = Arrays.stream(
            Files.readString(checkout.resolve("testkit/target/test-classpath.txt"))
                .split(File.pathSeparator))
        .filter(each -> each.contains("junit-platform-"))
        .collect(Collectors.joining(File.pathSeparator));
    this.wholeModule = wholeModule;
  }

  /** A compiled checkout, {@code run} or {@code run-modules}, and names; all faults without one. */
  public static void main(String[] arguments) throws Exception {
    Path checkout = Path.of(arguments[0]).toAbsolutePath();
    List<PlantedFault> faults = FaultTable.read(checkout);
    List<String> names = List.of(arguments).subList(2, arguments.length);
    List<PlantedFault> chosen = faults.stream()
        .filter(each -> names.isEmpty() || names.contains(each.name()))
        .toList();
    PlantedFaults all = new PlantedFaults(checkout, arguments[1].equals("run-modules"));
    if (names.isEmpty()) {
      all.requireGreen(faults);
    }
    int missed = 0;
    for (PlantedFault each : chosen) {
      missed += all.isCaught(each) ? 0 : 1;
    }
    System.out.println(chosen.size() - missed + " of " + chosen.size() + " faults were caught");
    System.exit(missed == 0 && !chosen.isEmpty() ? 0 : 1);
  }

  /** What fails without a fault in the code would notice nothing. */
  private void requireGreen(List<PlantedFault> faults) throws IOException, InterruptedException {
    Map<String, Set<String>> tests = new TreeMap<>();
    for (PlantedFault each : faults) {
      tests.computeIfAbsent(each.module(), none -> new TreeSet<>()).addAll(each.tests());
    }
    for (Map.Entry<String, Set<String>> each : tests.entrySet()) {
      Path log = work.resolve("nothing-in-" + each.getKey() + ".log");
      if (run(each.getKey(), "", List.copyOf(each.getValue()), log) != ClassRun.GREEN) {
        throw new IllegalStateException("tests must be green without a fault; see " + log);
      }
      System.out.println("without a fault, " + each.getValue().size() + " classes of "
          + each.getKey() + " are green");
    }
  }

  /** Runs the classes that the table names, or all of their module. */
  private boolean isCaught(PlantedFault fault) throws IOException, InterruptedException {
    Path classes = compile(fault);
    long began = System.nanoTime();
    List<String> tests = wholeModule ? List.of() : fault.tests();
    Path logFile = work.resolve(fault.name() + ".log");
    int code = run(fault.module(), classes + File.pathSeparator, tests, logFile);
    List<String> log = Files.readAllLines(logFile);
    int at = log.size() - 1;
    while (at >= 0 && !log.get(at).startsWith(ClassRun.FAILED)) {
      at--;
    }
    boolean caught = code == ClassRun.RED && at >= 0; // else the process itself has failed
    String what = caught
        ? "caught by " + log.get(at).substring(ClassRun.FAILED.length())
        : code == ClassRun.GREEN ? "MISSED" : "MISSED, and the tests did not end: " + logFile;
    System.out.printf(
        "%-40s %4d s  %s%n",
        fault.name(), TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began), what);
    return caught;
  }

  private String classPath(String module) throws IOException {
    Path target = checkout.resolve(module).resolve("target");
    return String.join(
        File.pathSeparator,
        target.resolve("test-classes").toString(),
        target.resolve("classes").toString(),
        Files.readString(target.resolve("test-classpath.txt")).strip());
  }

  private Path compile(PlantedFault fault) throws IOException {
    Path folder = work.resolve(fault.name());
    Path source = folder.resolve("src").resolve(Path.of(fault.source()).getFileName());
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Files.createDirectories(source.getParent());
    Files.writeString(source, fault.plant(Files.readString(checkout.resolve(fault.source()))));
    String module = fault.source().substring(0, fault.source().indexOf('/'));
    int code = ToolProvider.getSystemJavaCompiler()
        .run(
            null,
            null,
            null,
            "-nowarn",
            "-proc:none",
            "--release",
            "17",
            "-cp",
            classPath(module),
            "-d",
            classes.toString(),
            source.toString());
    if (code != 0) {
      throw new IllegalStateException("fault " + fault.name() + " cannot be compiled");
    }
    return classes;
  }

  private int run(String name, String before, List<String> tests, Path log)
      throws IOException, InterruptedException {
    Path module = checkout.resolve(name);
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx2g",
        "-XX:+UseSerialGC",
        "-XX:+EnableDynamicAgentLoading",
        "-Dbasedir=" + module,
        "-cp",
        before
            + String.join(
                File.pathSeparator,
                classPath(name),
                checkout.resolve("testkit/target/test-classes").toString(),
                launcher),
        ClassRun.class.getName(),
        module.resolve("target/test-classes").toString()));
    for (String each : tests) {
      command.add(className(module, each));
    }
    Process process = new ProcessBuilder(command)
        .directory(module.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly().waitFor();
    }
    return process.exitValue();
  }

  private static String className(Path module, String simple) throws IOException {
    Path tests = module.resolve("src/test/java");
    try (Stream<Path> all = Files.walk(tests)) {
      Path found = all.filter(each -> each.endsWith(simple + ".java"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no class " + simple + " in " + tests));
      String path = tests.relativize(found).toString();
      return path.substring(0, path.length() - ".java".length()).replace(File.separatorChar, '.');
    }
  }
}
