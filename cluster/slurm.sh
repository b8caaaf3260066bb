#!/bin/sh
# A sweep as a Slurm array: one shard for each task, all in one folder that the nodes share.
#
#   sbatch --array=1-64 cluster/slurm.sh spec.toml results
#
# The same command again resumes the shards that were killed or timed out. When all are done,
# `jostle sweep spec.toml --out results` finds nothing left to do.
#SBATCH --job-name=jostle
#SBATCH --cpus-per-task=1
#SBATCH --time=04:00:00
set -eu
: "${SLURM_ARRAY_TASK_ID:?this is a script for sbatch --array=1-N}"
exec jostle sweep "$1" --out "$2" --threads "${SLURM_CPUS_PER_TASK:-1}" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
